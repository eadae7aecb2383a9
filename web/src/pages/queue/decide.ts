import { post } from '../../api/client';
import type { MessageFilter } from '../../api/queries';
import { outdated, queryClient } from '../../api/query-client';
import type { Answers, Message } from '../../api/types';
import { confirm } from '../../parts/confirm';
import { faultWords } from '../../parts/fault-words';
import { numberWords } from '../../parts/number-words';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { createStore } from '../../store';
import { doneWords, REQUESTS, reportWords, type Decision } from './decisions';

/** Dismissed, but still to be had back: the request waits with the toast. */
const leaving = createStore<ReadonlySet<string>>(new Set());
export const useLeaving = leaving.use;

function setLeaving(ids: readonly string[], leaves: boolean): void {
  const next = new Set(leaving.get());
  for (const id of ids) {
    if (leaves) next.add(id);
    else next.delete(id);
  }
  leaving.set(next);
}

/** More of them are not taken back by a press of a button. */
export const UNDONE_AT_MOST = 25;
const ROUNDS_AT_MOST = 200;

/** One decision about one message. What releases mail asks first and has no undo; a dismissal of the dead has one. */
export async function decide(message: Message, decision: Decision): Promise<void> {
  if (!(await isMeant(message, decision))) return;
  if (decision !== 'dismiss' || message.state !== 'dead') return send(message, decision);
  setLeaving([message.id], true);
  showToast({
    text: 'Dismissed.',
    commit: () => void send(message, decision, { quietly: true }),
    onUndo: () => setLeaving([message.id], false),
  });
}

function isMeant({ state, to }: Message, decision: Decision): Promise<boolean> {
  const whom = visible(to.name ?? to.email);
  if (decision === 'again')
    return confirm({
      title: 'Send it again?',
      text: `Nobody knows whether the first one left. ${whom} may get two copies with the same Message-ID. What is sent can't be called back.`,
      action: 'Send it again',
    });
  if (decision === 'cancel')
    return confirm({
      title: 'Cancel this mail?',
      text: `It will not be sent to ${whom}. A cancelled mail can't be brought back.`,
      action: 'Cancel the mail',
    });
  if (decision === 'dismiss' && state === 'held')
    return confirm({
      title: 'Dismiss without a decision?',
      text: `It may have reached ${whom}, and it may not. It leaves the work lists as cancelled, and nobody is asked again.`,
      action: 'Dismiss it',
    });
  return Promise.resolve(true);
}

async function send(
  message: Message,
  decision: Decision,
  how: { readonly quietly?: boolean } = {},
): Promise<void> {
  const { action, as } = REQUESTS[decision];
  try {
    const body = as === undefined ? undefined : { as };
    const moved = await post<Answers['retryMessage']>(`/api/messages/${message.id}/${action}`, body, {
      keepalive: true,
    });
    remember(moved);
    if (how.quietly !== true) showToast({ text: doneWords(decision) });
  } catch (error) {
    // Whoever was first has moved it: what is shown is old.
    tellFault(error);
  } finally {
    setLeaving([message.id], false);
    await askAgain();
  }
}

const tellFault = (error: unknown): void => showToast({ text: faultWords(error), tone: 'fault' });

/** What the server answered stands in every list at once, not only after the next question. */
function remember(message: Message): void {
  queryClient.setQueryData<Message>(['message', message.id], (known) => known && { ...known, ...message });
  queryClient.setQueriesData<Answers['listMessages']>({ queryKey: ['messages'] }, (page) =>
    page?.items.some(({ id }) => id === message.id) === true
      ? { ...page, items: page.items.map((each) => (each.id === message.id ? message : each)) }
      : page,
  );
}

const askAgain = (): Promise<void> => outdated(['messages'], ['message'], ['dashboard']);

export type Target = { readonly ids: readonly string[] } | { readonly filter: MessageFilter };

/** One decision about many, for which somebody has been asked already. */
export function decideMany(decision: Decision, target: Target, count: number | undefined): void {
  if (decision === 'dismiss' && 'ids' in target && target.ids.length <= UNDONE_AT_MOST) {
    setLeaving(target.ids, true);
    showToast({
      text: `Dismissed ${target.ids.length}.`,
      commit: () => void sendMany(decision, target, count),
      onUndo: () => setLeaving(target.ids, false),
    });
    return;
  }
  void sendMany(decision, target, count);
}

async function sendMany(decision: Decision, target: Target, count: number | undefined): Promise<void> {
  const { action, as, states } = REQUESTS[decision];
  const body = 'ids' in target ? target : { filter: narrowed(target.filter, states) };
  let [done, conflicts] = [0, 0];
  try {
    for (let round = 0, more = true; more && round < ROUNDS_AT_MOST; round += 1) {
      const report = await post<Answers['decideMessages']>(
        '/api/messages/bulk',
        { action, ...(as && { as }), ...body },
        { keepalive: true },
      );
      done += report.done;
      conflicts += report.conflicts;
      // Nothing moved any more: what is left does not allow it.
      more = report.more && report.done > 0;
      if (more && count !== undefined)
        showToast({ text: `${numberWords(done)} of ${numberWords(count)} done.` });
    }
    showToast({ text: reportWords(decision, done, conflicts) });
  } catch (error) {
    const before = done > 0 ? `${reportWords(decision, done, conflicts)} Then: ` : '';
    const why = faultWords(error);
    showToast({ text: `${before}${why}`, tone: 'fault' });
  } finally {
    if ('ids' in target) setLeaving(target.ids, false);
    await askAgain();
  }
}

/** Only those that allow it: the server would leave the others alone, after looking at each. */
function narrowed(filter: MessageFilter, states: readonly string[]): MessageFilter {
  const asked = filter.state?.split(',') ?? states;
  return { ...filter, state: states.filter((state) => asked.includes(state)).join(',') };
}
