import { readTerms, type CampaignState, type EnrolmentState, type Terms } from '../core/campaign.js';
import { formatId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import type { Action } from '../core/message.js';
import type { KnownDecision } from '../store/scripts/audit.js';
import type { StepFigures, WaitingOf } from '../store/scripts/campaign-figures.js';
import type { PersonRow } from '../store/scripts/campaign-people.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import type { SequenceStep } from '../store/scripts/sequences.js';
import type { Late } from './late.js';
import { personWhy, type Around } from './person-words.js';
import type { HoldUp } from './plates.js';

export interface CampaignView extends Terms {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly sequenceId: string | null;
  readonly sequenceVersion: number | null;
  readonly accountIds: readonly string[];
  readonly stopOnReply: boolean;
  readonly people: number;
  readonly progress: {
    readonly total: number;
    readonly sent: number;
    readonly sentToday: number;
    readonly planToday: number;
  };
  readonly next: { readonly at: number; readonly accountId: string } | null;
  /** When the last message leaves as things are, and as it was first planned. */
  readonly endsAt: number | null;
  readonly plannedEndsAt: number | null;
  readonly replied: number;
  readonly holdUp: HoldUp | null;
  readonly late: Late | null;
  readonly launchedAt: number | null;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  /** Who paused or stopped it; null: nobody wrote it down. */
  readonly decidedBy: string | null;
  readonly finishedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface StepView {
  readonly order: number;
  readonly action: Action;
  readonly subject: string | null;
  readonly delayDays: number;
  readonly delayUnit: SequenceStep['delayUnit'];
  readonly sent: number;
  readonly planned: number;
  readonly stopped: number;
  readonly dead: number;
  readonly replied: number;
}

export interface PersonView {
  readonly contactId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** `finished`: everything has left that was meant for this person. */
  readonly status: EnrolmentState | 'finished';
  readonly steps: readonly { readonly order: number; readonly state: State; readonly at: number }[];
  readonly accountId: string | null;
  readonly nextAt: number | null;
  readonly why: string | null;
}

/** Every word has its number, also where there is none. */
export const countsBy = <Word extends string>(
  words: readonly Word[],
  count: (word: Word) => number | undefined,
): Readonly<Record<Word, number>> =>
  Object.fromEntries(words.map((word) => [word, count(word) ?? 0])) as Record<Word, number>;

/** Of a running campaign with people who have no times yet. */
export function planningOf(
  { state, plan_fault, enrolled, planned_through }: CampaignRow,
  steps: number,
): { readonly planned: number; readonly total: number } | null {
  if (state !== 'running' || plan_fault !== null || planned_through >= enrolled) return null;
  return { planned: planned_through * steps, total: enrolled * steps };
}

export const sumOf = (rows: readonly WaitingOf[], field: 'today' | 'count'): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

/** The next is the first of an account that may send; while none may, nothing is next. */
export function timesOf(
  waiting: readonly WaitingOf[],
  maySend: (accountId: number) => boolean,
): Pick<CampaignView, 'next' | 'endsAt'> {
  const byTime = waiting.toSorted((a, b) => a.first - b.first);
  const first = byTime.find(({ accountId }) => maySend(accountId));
  return {
    next: first ? { at: first.first, accountId: formatId('account', first.accountId) } : null,
    endsAt: waiting.length === 0 ? null : Math.max(...waiting.map(({ last }) => last)),
  };
}

export const viewOf = (row: CampaignRow, accountIds: readonly number[]) => ({
  ...readTerms(row.terms),
  id: formatId('campaign', row.id),
  name: row.name,
  state: row.state,
  sequenceId: row.sequence_id === null ? null : formatId('sequence', row.sequence_id),
  sequenceVersion: row.sequence_version,
  accountIds: accountIds.map((id) => formatId('account', id)),
  stopOnReply: row.stop_on_reply === 1,
  people: row.enrolled,
  plannedEndsAt: row.launched_ends_at,
  launchedAt: row.launched_at,
  pausedAt: row.paused_at,
  pauseReason: row.pause_reason,
  finishedAt: row.finished_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export function stepView(
  { order, action, subject, delayDays, delayUnit }: SequenceStep,
  figures: readonly StepFigures[],
): StepView {
  const own = figures.filter(({ step }) => step === order);
  const count = (wanted: (each: StepFigures) => boolean) =>
    own.filter(wanted).reduce((sum, { n }) => sum + n, 0);
  const stopped: readonly (State | null)[] = ['cancelled', 'skipped', 'expired'];
  return {
    ...{ order, action, subject, delayDays, delayUnit },
    sent: count(({ state }) => state === 'sent'),
    planned: count(({ state }) => state === null),
    stopped: count(({ state }) => stopped.includes(state)),
    dead: count(({ state }) => state === 'dead' || state === 'held'),
    replied: count(({ reason }) => reason === 'replied'),
  };
}

export function personView(row: PersonRow, around: Around): PersonView {
  const open = row.messages.filter(({ finished }) => !finished);
  const [next] = open.filter(({ halted }) => !halted).sort((a, b) => a.at - b.at);
  // What waits for somebody's decision has no time.
  const mayLeave =
    around.state === 'running' &&
    (row.accountId === null || around.pausedAccount(row.accountId) === undefined);
  const status =
    row.state === 'active' && row.messages.length > 0 && open.length === 0 ? 'finished' : row.state;
  return {
    contactId: formatId('contact', row.contactId),
    name: row.name,
    email: row.email,
    status,
    steps: row.messages.map(({ step, state, at }) => ({ order: step ?? 0, state, at })),
    accountId: row.accountId === null ? null : formatId('account', row.accountId),
    nextAt: mayLeave ? (next?.at ?? null) : null,
    why: personWhy(row, around),
  };
}

/** What somebody must have decided, and when: the audit log knows who. */
export function decisionOf({ id, state, paused_at, finished_at }: CampaignRow): readonly KnownDecision[] {
  const target = formatId('campaign', id);
  if (state === 'paused' && paused_at !== null)
    return [{ target, action: 'campaign.pause', since: paused_at }];
  if (state === 'stopped' && finished_at !== null)
    return [{ target, action: 'campaign.stop', since: finished_at }];
  return [];
}
