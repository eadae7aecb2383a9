import { LANES, type Action, type Lane } from './message.js';
import { numberWords } from './limit-words.js';
import type { Use } from './limits.js';
import { Ledger } from './plan/ledger.js';
import { Totals } from './plan/totals.js';
import { rulesOf, type Rules } from './rules.js';
import type { SendingSettings } from './sending.js';
import type { Verdict } from './account-standing.js';
import { zoneWords } from './time-words.js';
import { weekHours, windowWords } from './window-words.js';
import { labelOf } from './zone.js';

/** A line of guarded mail: under which rules it leaves now, and would, and when each of it could at the earliest. */
export interface Line {
  readonly account: number;
  readonly action: Action;
  readonly now: Rules;
  readonly then: Rules;
  readonly use: Use;
  readonly due: readonly number[];
  /** Of which campaign each of it is; null: of none. */
  readonly campaigns?: readonly (number | null)[];
}

/** When the last that waits of a campaign leaves, and would; null: never. */
export interface CampaignEnd {
  readonly id: number;
  readonly endsAt: number;
  readonly wouldEndAt: number | null;
}

/** What a change of the settings would do to what waits now. */
export interface Effect {
  /** So many would leave on another day: earlier, later, or never. */
  readonly moved: number;
  readonly earlier: number;
  readonly later: number;
  readonly never: number;
  /** Of those that would leave today as it is, so many would leave later. */
  readonly postponed: number;
  readonly days: readonly { readonly date: string; readonly now: number; readonly then: number }[];
}

/** Where a date should stand, for what would never leave. Sorts behind all dates. */
const NEVER = 'never';
/** What is asked twice is answered alike. */
const SEED = 1;

/** Where everything that waits would go, by the rules as they are and as they would be. */
export function effectOf(lines: readonly Line[], today: string): Effect {
  return lookAhead(lines, today).effect;
}

/** The same with what it means for campaigns. */
export function lookAhead(
  lines: readonly Line[],
  today: string,
): { readonly effect: Effect; readonly campaigns: readonly CampaignEnd[] } {
  const [before, after] = [placesOf(lines, 'now'), placesOf(lines, 'then')];
  return { effect: changeOf(before, after, today), campaigns: endsOf(before, after) };
}

/** The plan says when it ends; only what would move it is computed. */
function endsOf(before: readonly Place[], after: readonly Place[]): readonly CampaignEnd[] {
  const ends = new Map<number, { endsAt: number; now: number; then: number }>();
  for (const [n, { campaign, due, at }] of before.entries()) {
    if (campaign === null) continue;
    const known = ends.get(campaign) ?? { endsAt: -Infinity, now: -Infinity, then: -Infinity };
    ends.set(campaign, {
      endsAt: Math.max(known.endsAt, due),
      now: Math.max(known.now, at ?? Infinity),
      then: Math.max(known.then, after[n]?.at ?? Infinity),
    });
  }
  return [...ends].map(([id, { endsAt, now, then }]) => ({
    ...{ id, endsAt },
    wouldEndAt: then === now ? endsAt : then === Infinity ? null : then,
  }));
}

function changeOf(before: readonly Place[], after: readonly Place[], today: string): Effect {
  const days = new Map<string, { now: number; then: number }>();
  const count = (date: string, when: 'now' | 'then') => {
    const day = days.get(date) ?? { now: 0, then: 0 };
    day[when] += 1;
    days.set(date, day);
  };
  let [earlier, later, never, postponed] = [0, 0, 0, 0];
  for (const [place, { date }] of before.entries()) {
    const other = after[place]?.date ?? NEVER;
    count(date, 'now');
    count(other, 'then');
    if (other < date) earlier += 1;
    if (other > date && other !== NEVER) later += 1;
    if (other > date && other === NEVER) never += 1;
    if (date === today && other > date) postponed += 1;
  }
  return {
    ...{ moved: earlier + later + never, earlier, later, never, postponed },
    days: [...days].map(([date, counts]) => ({ date, ...counts })).sort((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

interface Place {
  readonly date: string;
  /** Undefined: never. */
  readonly at: number | undefined;
  readonly due: number;
  readonly campaign: number | null;
}

/** Whoever could leave first is placed first, over all accounts: they share the workspace's days. */
function placesOf(lines: readonly Line[], when: 'now' | 'then'): Place[] {
  const [first] = lines;
  if (!first) return [];
  const totals = new Totals(first[when], first.use.totals);
  const ledgers = lines.map(({ account, use, ...line }) => {
    const planning = { now: use.now, seed: SEED, taken: use.taken, punctual: true };
    return new Ledger(line[when], account, planning, totals);
  });
  return lines
    .flatMap(({ due, action, campaigns = [] }, line) =>
      due.map((instant, n) => ({ instant, action, line, campaign: campaigns[n] ?? null })),
    )
    .sort((one, other) => one.instant - other.instant || one.line - other.line)
    .map(({ instant, action, line, campaign }) => {
      const ledger = ledgers[line] as Ledger;
      const at = ledger.place(action, { instant });
      return { at, campaign, due: instant, date: at === undefined ? NEVER : labelOf(ledger.dayOf(at)) };
    });
}

export interface ChangeFacts {
  readonly now: number;
  readonly present: SendingSettings;
  readonly wanted: SendingSettings;
  readonly changed: boolean;
  /** Which lanes keep these hours unless a mail says otherwise. */
  readonly guarded: Readonly<Record<Lane, boolean>>;
  readonly effect: Effect;
  /** More waits than was looked at. */
  readonly more: boolean;
}

/** What holds, or what saving would do, in a sentence. */
export function judgeChange(facts: ChangeFacts): Verdict {
  const { present, wanted, changed, effect } = facts;
  const open = (settings: SendingSettings) =>
    `${windowWords(settings)} ${zoneWords(facts.now, settings.timezone)}`;
  if (wanted.dailyQuota === 0) {
    const sentence = 'No guarded mail could ever leave: the daily quota is 0.';
    return { level: 'act', sentence, evidence: 'Set how many all accounts may send together in a day.' };
  }
  if (!changed) {
    return {
      level: 'fine',
      sentence: `${who(facts)} may leave ${open(present)}.`,
      evidence: `${numberWords(weekHours(present))} hours a week, at most ${numberWords(present.dailyQuota)} mails a day, all accounts together. ${whoElse(facts)}`,
    };
  }
  const hours =
    open(present) === open(wanted) ? '' : `${who(facts)} would leave ${open(wanted)}. Now: ${open(present)}.`;
  const evidence = [movedWords(facts), hours].filter((text) => text !== '').join(' ');
  if (effect.never > 0) {
    const sentence = `${mails(effect.never)} could never leave.`;
    return { level: 'act', sentence, evidence };
  }
  if (effect.moved === 0) return { level: 'fine', sentence: 'Saving would move no mail.', evidence };
  const sentence = `Saving would move ${facts.more ? 'at least ' : ''}${mails(effect.moved)}.`;
  return { level: 'look', sentence, evidence };
}

const mails = (n: number): string => `${numberWords(n)} ${n === 1 ? 'mail' : 'mails'}`;

/** In which direction, and how many of those that people wait for today. */
export function movedWords({
  effect: { moved, earlier, later, postponed },
}: Pick<ChangeFacts, 'effect'>): string {
  if (moved === 0) return '';
  const direction =
    earlier === 0
      ? 'No mail would leave earlier'
      : later === 0
        ? 'No mail would leave later'
        : `${numberWords(earlier)} would leave earlier, ${numberWords(later)} later`;
  const today = postponed === 0 ? '' : `; ${numberWords(postponed)} of today’s would leave on another day`;
  return `${direction}${today}.`;
}

const NAMES: Readonly<Record<Lane, string>> = {
  campaign: 'campaign mail',
  notification: 'notifications',
  outbox: 'outbox mail',
};

const named = (lanes: readonly Lane[]): string =>
  lanes
    .map((lane) => NAMES[lane])
    .join(' and ')
    .replace(/^./, (letter) => letter.toUpperCase());

const lanesThat = ({ guarded }: Pick<ChangeFacts, 'guarded'>, are: boolean): Lane[] =>
  (['campaign', 'notification', 'outbox'] as const satisfies readonly Lane[]).filter(
    (lane) => guarded[lane] === are,
  );

function who(facts: Pick<ChangeFacts, 'guarded'>): string {
  const lanes = lanesThat(facts, true);
  if (lanes.length === 0) return 'Guarded mail';
  return lanes.length === LANES.length ? 'Mail' : named(lanes);
}

function whoElse(facts: Pick<ChangeFacts, 'guarded'>): string {
  const lanes = lanesThat(facts, false);
  if (lanes.length === 0) return 'All mail waits for this.';
  const one = lanes.length === 1 && lanes[0] !== 'notification';
  return `${named(lanes)} ${one ? 'does' : 'do'} not wait for this.`;
}

/** The window that holds at an instant, or the next. */
export function windowAt(
  settings: SendingSettings,
  now: number,
): { readonly open: boolean; readonly opensAt: number | null; readonly closesAt: number | null } {
  const { calendar } = rulesOf(settings, { type: 'email' }, now);
  const interval = calendar.interval(now);
  return {
    open: calendar.isOpen(now),
    opensAt: interval?.opensAt ?? null,
    closesAt: interval?.closesAt ?? null,
  };
}
