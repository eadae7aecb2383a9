import { CAMPAIGN_STOPPED, NOT_ENROLLED, type CampaignState, type EnrolmentState } from '../core/campaign.js';
import { dateWords, timeWords, type Clock } from '../core/time-words.js';
import type { PersonRow } from '../store/scripts/campaign-people.js';

const ENDED: Readonly<Partial<Record<EnrolmentState, string>>> = {
  replied: 'Replied',
  bounced: 'The address bounced',
  complained: 'Complained',
  unsubscribed: 'Unsubscribed',
  stopped: 'Taken out',
};

const CANCELLED: Readonly<Record<string, string>> = {
  [CAMPAIGN_STOPPED]: 'the campaign was stopped',
  [NOT_ENROLLED]: 'not in it any more',
  replied: 'replied in another campaign',
  unsubscribed: 'unsubscribed',
  suppressed: 'must not be written to',
};

export interface Around {
  readonly state: CampaignState;
  readonly clock: Clock;
  /** Of an account that is paused; undefined: it may send. */
  readonly pausedAccount: (id: number) => string | undefined;
}

/** Why nothing leaves for this person, or what comes next: one sentence. */
export function personWhy(person: PersonRow, { state, clock, pausedAccount }: Around): string {
  const { messages, state: status, reason, resumeAt, changedAt } = person;
  const left = messages.filter((each) => each.state === 'sent');
  const open = messages.filter(({ finished }) => !finished);
  const ended = ENDED[status];
  if (ended !== undefined) {
    const cancelled = messages.filter((each) => each.state === 'cancelled').length;
    return `${ended} ${timeWords(changedAt, clock)}.${rest(cancelled)}`;
  }
  const of = (wanted: string) => messages.find((each) => each.state === wanted);
  const held = of('held');
  if (held) return `${stepOf(held)} is held: nobody knows whether it left.`;
  const dead = of('dead');
  if (dead) return `${stepOf(dead)} could not be sent${because(dead.reason)}.`;
  if (status === 'paused') {
    const until = resumeAt === null ? '' : ` until ${timeWords(resumeAt, clock)}`;
    return reason === 'auto_reply' ? `Away${until}: an automatic answer came.` : `Paused${until}.`;
  }
  const [next] = open.toSorted((one, other) => one.at - other.at);
  if (!next) {
    const last = left.at(-1);
    if (last) return `Done. ${stepOf(last)} left ${dateWords(last.at, clock)}.`;
    const none = messages.at(0);
    if (none) return `Nothing leaves: ${CANCELLED[none.reason ?? ''] ?? none.reason ?? none.state}.`;
    return state === 'draft' ? 'Planned at the launch.' : 'Nothing is planned for this person.';
  }
  if (state === 'paused') return 'The campaign is paused.';
  const paused = person.accountId === null ? undefined : pausedAccount(person.accountId);
  if (paused !== undefined) return `${paused} is paused; ${stepOf(next).toLowerCase()} waits.`;
  if (next.state === 'retry_scheduled') return `${stepOf(next)} is tried again.`;
  if (next.state === 'sending' || next.state === 'queued') return `${stepOf(next)} is on its way.`;
  if (next.halted) return `${stepOf(next)} waits for the one before.`;
  const before = left.at(-1);
  if (before) return `${stepOf(next)}. ${stepOf(before)} left ${dateWords(before.at, clock)}.`;
  return `${stepOf(next)} is planned.`;
}

const stepOf = ({ step }: { readonly step: number | null }): string =>
  step === null ? 'The mail' : `Step ${step}`;

const because = (reason: string | null): string => (reason === null ? '' : ` (${reason})`);

const rest = (n: number): string =>
  n === 0
    ? ''
    : n === 1
      ? ' 1 follow-up never leaves.'
      : ` ${n.toLocaleString('en-GB')} follow-ups never leave.`;
