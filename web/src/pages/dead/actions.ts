import { useState } from 'react';
import { get, post, queryString } from '../../api/client';
import { outdated } from '../../api/query-client';
import type { Answers, DeadGroup, DeadLetters } from '../../api/types';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { counted, numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { workOff, type Step } from './work-off';

/** More than this can't be taken back, so it is asked first. */
export const UNDO_AT_MOST = 25;

type Verb = 'retry' | 'dismiss';
const PAST: Record<Verb, string> = { retry: 'Retried', dismiss: 'Dismissed' };

/** Something large that goes on. */
export interface Progress {
  readonly verb: Verb;
  readonly done: number;
  readonly total: number;
}

export interface DeadActions {
  readonly progress: Progress | undefined;
  /** Those that are about to be dismissed, unless somebody takes it back. */
  readonly leaving: ReadonlySet<string>;
  readonly retry: (group: DeadGroup) => void;
  readonly dismiss: (group: DeadGroup) => void;
  readonly retryOver: (summary: DeadLetters['summary']) => void;
}

export function useDeadActions(): DeadActions {
  const [progress, setProgress] = useState<Progress>();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const lookAgain = () => outdated(['dead-groups'], ['messages'], ['message'], ['dashboard']);

  const act = async (verb: Verb, fingerprints: readonly string[], total: number) => {
    setProgress({ verb, done: 0, total });
    try {
      const { done, conflicts } = await workOff({
        items: fingerprints,
        step: (fingerprint) =>
          post<Step>(`/api/messages/dead-groups/${encodeURIComponent(fingerprint)}/${verb}`),
        onProgress: (now) => setProgress({ verb, done: now, total: Math.max(now, total) }),
      });
      showToast({ text: outcomeWords(verb, done, conflicts) });
    } catch (error) {
      showToast({ text: refusal(verb, error), tone: 'fault' });
    } finally {
      setProgress(undefined);
      await lookAgain();
    }
  };

  const retry = async (group: DeadGroup) => {
    if (group.outlook === 'change' && !(await confirm(retryQuestion(group)))) return;
    await act('retry', [group.fingerprint], group.count);
  };

  const dismiss = async (group: DeadGroup) => {
    if (group.count > UNDO_AT_MOST) {
      if (await confirm(dismissQuestion(group))) await act('dismiss', [group.fingerprint], group.count);
      return;
    }
    // Those that are there now: what dies of the same cause meanwhile was not seen.
    const filter = { state: 'dead', fingerprint: group.fingerprint, limit: UNDO_AT_MOST };
    const { items } = await get<Answers['listMessages']>(`/api/messages${queryString(filter)}`);
    const ids = items.map(({ id }) => id);
    if (ids.length === 0) {
      await lookAgain();
      return;
    }
    const stays = () => setLeaving((all) => new Set([...all].filter((each) => each !== group.fingerprint)));
    setLeaving((all) => new Set([...all, group.fingerprint]));
    showToast({
      text: `Dismissed ${counted(ids.length, 'letter')} of “${group.code}”.`,
      onUndo: stays,
      commit: () =>
        void post('/api/messages/bulk', { action: 'dismiss', ids }, { keepalive: true })
          .catch((error: unknown) => showToast({ text: refusal('dismiss', error), tone: 'fault' }))
          .then(lookAgain)
          .then(stays),
    });
  };

  const tell = (verb: Verb) => (error: unknown) => showToast({ text: refusal(verb, error), tone: 'fault' });
  return {
    progress,
    leaving,
    retry: (group) => void retry(group).catch(tell('retry')),
    dismiss: (group) => void dismiss(group).catch(tell('dismiss')),
    retryOver: ({ retryable }) => void act('retry', retryable.fingerprints, retryable.count),
  };
}

function outcomeWords(verb: Verb, done: number, conflicts: number): string {
  if (done + conflicts === 0) return `None was left to ${verb}: somebody was first.`;
  const made = `${PAST[verb]} ${counted(done, 'letter')}.`;
  if (conflicts === 0) return made;
  return `${made} ${counted(conflicts, 'letter')} stayed: the recipient is suppressed, the time ran out, or somebody was first.`;
}

const refusal = (verb: Verb, error: unknown): string => `Could not ${verb} all of them. ${faultWords(error)}`;

const retryQuestion = ({ count, code, sentence, onRetry }: DeadGroup) => ({
  title: `Retry ${counted(count, 'letter')} that ${count === 1 ? 'needs' : 'need'} a change?`,
  text: `${code}: ${sentence} ${onRetry} What leaves cannot be taken back.`,
  action: `Retry ${numberWords(count)}`,
});

const dismissQuestion = ({ count, code, cause }: DeadGroup) => ({
  title: `Dismiss ${counted(count, 'letter')}?`,
  text: `${code}: ${cause}. They leave the work lists as cancelled, are not sent, and cannot be brought back.`,
  action: `Dismiss ${numberWords(count)}`,
});
