import { formatId } from '../core/ids.js';
import { generateIdempotencyKey } from '../core/key.js';
import { LINES, type Line } from '../core/lines.js';
import { ACTIONS, type Action } from '../core/message.js';
import type { FirstFit, Placed } from '../core/plan/first-fit.js';
import { labelOf } from '../core/zone.js';
import type { PlanRow } from '../store/plan-row.js';
import type { LaunchedDay, Prospect } from '../store/scripts/plan-pages.js';
import type { World } from './world.js';

/** What is known of the people of a page beside themselves. */
export interface PageFacts {
  /** Those of their first keys that a message has already. */
  readonly known: ReadonlySet<string>;
  /** Addresses that must not be written to, in their canonical form. */
  readonly suppressed: ReadonlySet<string>;
}

/** Steps that are not planned, by why. */
export interface LeftOut {
  /** Somebody who has had this sequence. */
  known: number;
  suppressed: number;
  /** No address for it. */
  unreachable: number;
  /** After the end of the campaign. */
  late: number;
}

export const nothingLeftOut = (): LeftOut => ({ known: 0, suppressed: 0, unreachable: 0, late: 0 });

export function addLeftOut(sum: LeftOut, more: Readonly<LeftOut>): void {
  for (const why of Object.keys(sum) as (keyof LeftOut)[]) sum[why] += more[why];
}

/** Messages with their times, before they are stored. */
export interface PlannedPage {
  readonly rows: readonly PlannedMessage[];
  readonly leftOut: LeftOut;
  /** The first for whom there is no time any more; nobody after him was looked at. */
  readonly homeless?: Prospect | undefined;
}

/** A row as it is stored, and whose day it uses. */
export interface PlannedMessage extends PlanRow {
  readonly accountId: number;
}

const LINKEDIN = ACTIONS.filter((action) => action !== 'email');
const [BY_MAIL, BY_BOTH, BY_NOTHING] = [['email'], ['email', ...LINKEDIN], []] as const;

/** How a person can be reached, whoever sends. */
export function reachableBy({ email, linkedinId }: Prospect, { suppressed }: PageFacts): readonly Action[] {
  const byMail = email !== null && !suppressed.has(email);
  if (linkedinId === null) return byMail ? BY_MAIL : BY_NOTHING;
  return byMail ? BY_BOTH : LINKEDIN;
}

/** By which a person's way through a sequence is known: the key of the first step that could reach him. */
export function firstKey(world: World, prospect: Prospect): string | undefined {
  const step = world.steps.find(({ action }) =>
    action === 'email' ? prospect.email !== null : prospect.linkedinId !== null,
  );
  if (!step || !world.sequence) return undefined;
  return keyOf(world.sequence.publicId, formatId('contact', prospect.contactId), step.order);
}

const keyOf = (sequenceId: string, contactId: string, step: number): string =>
  generateIdempotencyKey(contactId, sequenceId, step);

/** Places a page of people, in their order. */
export function planPage(
  world: World,
  fit: FirstFit,
  prospects: readonly Prospect[],
  facts: PageFacts,
): PlannedPage {
  const rows: PlannedMessage[] = [];
  const leftOut = nothingLeftOut();
  const all = world.steps.length;
  for (const prospect of prospects) {
    const key = facts.known.size > 0 ? firstKey(world, prospect) : undefined;
    if (key !== undefined && facts.known.has(key)) {
      leftOut.known += all;
      continue;
    }
    const reachable = reachableBy(prospect, facts);
    let possible = 0;
    for (const { action } of world.steps)
      if (reachable.includes(action) && fit.accountFor(action, prospect.position)) possible += 1;
    const barred = prospect.email !== null && facts.suppressed.has(prospect.email);
    leftOut[barred ? 'suppressed' : 'unreachable'] += all - possible;
    const account = fit.accountFor(reachable[0] ?? 'email', prospect.position);
    const window = world.windowOf(account?.id, prospect.timezone);
    const { placed, late, homeless } = fit.place({ position: prospect.position, reachable, window });
    if (homeless > 0) return { rows, leftOut, homeless: prospect };
    leftOut.late += Math.min(late, possible - placed.length);
    const contactId = formatId('contact', prospect.contactId);
    for (const each of placed) rows.push(messageOf(world, prospect, each, contactId));
  }
  return { rows, leftOut };
}

function messageOf(
  world: World,
  prospect: Prospect,
  placed: Placed,
  publicContactId: string,
): PlannedMessage {
  const step = world.steps[placed.step];
  const sender = world.accounts.get(placed.accountId);
  if (!step || !sender || !world.sequence) throw new Error('a step was placed that nobody knows');
  const byMail = step.action === 'email';
  return {
    accountId: placed.accountId,
    channelId: world.channelOf(placed.accountId, step.action),
    action: step.action,
    key: keyOf(world.sequence.publicId, publicContactId, step.order),
    contactId: prospect.contactId,
    recipient: (byMail ? prospect.email : prospect.linkedinId) ?? '',
    recipientGiven: byMail ? prospect.emailGiven : null,
    recipientName: prospect.name,
    subject: plainSubject(step.subject),
    sender: sender.account.emailAddress,
    dueAt: placed.at,
    closesAt: placed.closesAt,
    step: step.order,
    line: lineOf(placed),
    bodyHash: null,
    mail: null,
  };
}

/** Whoever follows waits for the step before; the first leaves in a window, its account's or its own. */
export const lineOf = ({ first, closesAt }: Pick<Placed, 'first' | 'closesAt'>): Line => {
  if (!first) return LINES.follows;
  return closesAt === null ? LINES.together : LINES.own;
};

/** What it says is known when it leaves; until then a subject is shown only if it says the same to everybody. */
const plainSubject = (subject: string | null): string | null =>
  subject === null || subject === '' || /\{[{%]/.test(subject) ? null : subject;

/** How many of which account's local days. */
export function launchedDays(
  world: World,
  rows: Iterable<Pick<PlannedMessage, 'accountId' | 'action' | 'dueAt'>>,
): readonly LaunchedDay[] {
  // By numbers: a campaign has many more messages than days.
  const accounts = new Map<number, Map<Action, Map<number, number>>>();
  for (const { accountId, action, dueAt } of rows) {
    const zone = world.accounts.get(accountId)?.rules.calendar.zone;
    if (!zone) continue;
    let actions = accounts.get(accountId);
    if (!actions) accounts.set(accountId, (actions = new Map<Action, Map<number, number>>()));
    let days = actions.get(action);
    if (!days) actions.set(action, (days = new Map<number, number>()));
    const day = zone.dayOf(dueAt);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const found: LaunchedDay[] = [];
  for (const [accountId, actions] of accounts)
    for (const [action, days] of actions)
      for (const [day, count] of days) found.push({ accountId, action, day: labelOf(day), count });
  return found;
}
