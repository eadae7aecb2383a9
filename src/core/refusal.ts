import type { State } from './lifecycle.js';

/** What a person may decide about a message. */
export type Decision = 'retry' | 'dismiss' | 'cancel' | 'resolve';

/** What somebody did, as the audit log keeps it. */
export interface PastAction {
  readonly at: number;
  readonly actor: string;
  /** `message.retry`, `message.bulk`, `outbox.delete` … */
  readonly action: string;
  readonly details: unknown;
}

const PAST: Record<Decision, string> = {
  retry: 'retried',
  dismiss: 'dismissed',
  cancel: 'cancelled',
  resolve: 'decided',
};

/** Whoever comes later than this was not overtaken: the message simply is where it is. */
const OVERTAKEN_WITHIN_MS = 60 * 60_000;

/** Why a decision came too late: who was first, where that is known, else the state that stands in its way. */
export function refusalWords(
  state: State,
  decision: Decision,
  past: PastAction | undefined,
  now: number,
): string {
  const first = past && now - past.at < OVERTAKEN_WITHIN_MS ? decisionOf(past) : undefined;
  if (!past || first === undefined) return `a message that is ${state} can't be ${PAST[decision]}`;
  return `already ${PAST[first]} by ${past.actor}, ${agoWords(now - past.at)}; it is ${state} now`;
}

function decisionOf({ action, details }: PastAction): Decision | undefined {
  if (action === 'outbox.delete') return 'dismiss';
  const [thing, verb] = action.split('.');
  if (thing !== 'message' && thing !== 'outbox') return undefined;
  const named = verb === 'bulk' ? (details as { body?: { action?: unknown } } | null)?.body?.action : verb;
  return typeof named === 'string' && Object.hasOwn(PAST, named) ? (named as Decision) : undefined;
}

function agoWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 1) return 'just now';
  return seconds < 60 ? `${String(seconds)} s ago` : `${String(Math.floor(seconds / 60))} min ago`;
}
