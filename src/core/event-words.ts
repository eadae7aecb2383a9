import { eventCounts, type EventFigures, type EventReason } from './event.js';
import type { State } from './lifecycle.js';
import { timeWords, type Clock } from './time-words.js';

/** Of what waits: how many, for what, and when the first of it is due. */
export interface EventWaiting {
  readonly state: 'scheduled' | 'retry_scheduled' | 'queued';
  /** Why the last try failed; empty: there was none. */
  readonly reason: string;
  /** Not before a time that lies ahead. */
  readonly later: boolean;
  readonly count: number;
  readonly next: number;
}

export interface WordedReason extends EventReason {
  readonly sentence: string;
}

const number = (n: number): string => n.toLocaleString('en');
const mails = (n: number): string => `${number(n)} ${n === 1 ? 'mail' : 'mails'}`;

const LONGEST_TITLE = 200;
const TITLES = ['title', 'headline', 'subject', 'courseTitle', 'name'];

/** What an event is called where people read: by its payload, where that has a title; else by its type. */
export function eventTitle(type: string, payload: Readonly<Record<string, unknown>>): string {
  for (const name of TITLES) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, LONGEST_TITLE);
  }
  return type;
}

export interface EventTold extends EventFigures {
  readonly isCancelled: boolean;
}

/** In a list: who was told, in a few words, and the state that they are of. */
export function eventSummary(figures: EventTold): { readonly state: State; readonly words: string } {
  const { matched, seen, isCancelled } = figures;
  const { sent, dead, held, scheduled, sending, expired, cancelled } = eventCounts(figures);
  const unseen = matched - seen;
  if (isCancelled)
    return { state: 'cancelled', words: `cancelled; ${number(cancelled + unseen)} never left` };
  if (matched === 0) return { state: 'skipped', words: 'no subscription to this topic' };
  if (unseen > 0) return { state: 'sending', words: `fan-out, ${number(seen)} of ${number(matched)}` };
  if (dead > 0) return { state: 'dead', words: `${number(dead)} dead` };
  if (held > 0) return { state: 'held', words: `${number(held)} held` };
  if (sending > 0) return { state: 'sending', words: `${number(sending + scheduled)} on their way` };
  if (scheduled > 0)
    return { state: 'scheduled', words: `${number(scheduled)} ${scheduled === 1 ? 'waits' : 'wait'}` };
  if (expired > 0) return { state: 'expired', words: `${number(expired)} too late to be useful` };
  return sent === 0 ? { state: 'skipped', words: 'nobody wanted it' } : { state: 'sent', words: 'all told' };
}

/** Of one, where that is said otherwise, and of several. */
const WORDS: Readonly<Record<string, string | readonly [one: string, many: string]>> = {
  'skipped max_notifications': 'had all the notifications they asked for',
  'skipped snoozed': 'snoozed until it is too late',
  'skipped window': ['has hours that open when it is too late', 'have hours that open when it is too late'],
  'skipped unsubscribed': 'unsubscribed',
  'skipped paused': 'paused',
  'skipped pending': ['has not confirmed', 'have not confirmed'],
  'skipped suppressed': [
    'suppressed: nobody writes to this address',
    'suppressed: nobody writes to these addresses',
  ],
  'skipped not_email': ['has no mail address', 'have no mail address'],
  'cancelled event_cancelled': 'stopped when it was cancelled',
  'dead template_not_found': 'the template is not there',
  'dead template_missing_locale': 'the template lacks their locale',
  'dead template_missing_variable': 'the template wants what the payload lacks',
  'dead template_fault': 'the template has a fault',
  'dead template_bad_subject': 'the subject would not be one line',
  'dead content_missing': 'the event is not kept any more',
};

/** In words. Who is told by what became of an event reads them behind their count. */
export const reasonWords = ({ state, reason, count }: EventReason, statusAfter: string | null): string => {
  if (state === 'skipped' && reason === 'notify_on')
    return `${count === 1 ? 'wants' : 'want'} others${statusAfter === null ? '' : `, not ${statusAfter}`}`;
  const known = WORDS[`${state} ${reason}`];
  if (known !== undefined) return typeof known === 'string' ? known : known[count === 1 ? 0 : 1];
  if (state === 'expired') return 'too late to be useful';
  return state === 'dead' ? 'died' : reason.replaceAll('_', ' ');
};

/** What waits, for what and how long. */
export function waitingReasons(
  waiting: readonly EventWaiting[],
  clock: Clock,
): readonly (WordedReason & { readonly next: number })[] {
  return waiting.map(({ state, reason, later, count, next }) => {
    const at = timeWords(next, clock);
    const sentence =
      state === 'queued'
        ? 'with the broker'
        : state === 'retry_scheduled'
          ? `tried again, the first ${later ? `at ${at}` : 'now'}`
          : later
            ? `${count === 1 ? 'waits for its hours; they' : 'wait for their hours; the next'} open ${at}`
            : `due, and ${count === 1 ? 'leaves' : 'leave'} next`;
    const name = reason !== '' ? reason : state === 'queued' ? 'queued' : later ? 'hours' : 'due';
    return { state, reason: name, count, sentence, next };
  });
}

export interface EventNotes {
  readonly reasons: readonly WordedReason[];
  readonly templateId: string;
  /** Until it has passed all of them; undefined: it has, or nobody can know. */
  readonly etaSeconds?: number | undefined;
  readonly isRepeated?: boolean;
}

/** What stands behind the sentence of an event, and what would help. */
export function eventEvidence({ reasons, templateId, etaSeconds, isRepeated = false }: EventNotes): {
  readonly evidence?: string;
  readonly action?: { readonly verb: string; readonly to: string };
} {
  const dead = reasons.filter(({ state }) => state === 'dead');
  const waits = reasons.find(({ reason, state }) => state === 'scheduled' && reason === 'hours');
  const [worst] = dead;
  const said = [
    ...(worst ? [`${mails(worst.count)} died of ${worst.reason}: ${worst.sentence}.`] : []),
    ...(etaSeconds === undefined ? [] : [`Done in about ${number(etaSeconds)} s.`]),
    ...(waits && !worst ? [`${number(waits.count)} ${waits.sentence}.`] : []),
    ...(isRepeated ? ['Same key within 3 minutes: nobody was told twice.'] : []),
  ];
  const ofTemplate = dead.some(({ reason }) => reason.startsWith('template_'));
  return {
    ...(said.length > 0 && { evidence: said.join(' ') }),
    ...(ofTemplate && {
      action: { verb: 'Open the template', to: `/templates/${encodeURIComponent(templateId)}` },
    }),
  };
}

/** How long a fan-out goes on as fast as it went so far, in seconds. */
export function fanOutEta(
  { matched, seen }: Pick<EventFigures, 'matched' | 'seen'>,
  elapsedMs: number,
): number | undefined {
  if (seen === 0 || seen >= matched || elapsedMs <= 0) return undefined;
  return Math.max(1, Math.ceil((((matched - seen) / seen) * elapsedMs) / 1_000));
}
