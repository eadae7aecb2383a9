import type { CampaignCalendar } from '../../api/types';

type Day = CampaignCalendar['days'][number];

/** A day, or the week that begins with it. */
export interface Column {
  /** `2026-11-16`: the day, or the Monday. */
  readonly date: string;
  readonly when: 'past' | 'now' | 'future';
  /** Of all accounts together, and since the beginning. */
  readonly sent: number;
  readonly planned: number;
  readonly sentSoFar: number;
  readonly launchedSoFar: number;
  readonly comesTo: number;
}

export interface Cell {
  readonly sent: number;
  readonly planned: number;
  readonly launched: number;
  readonly quota: number;
}

export interface Grid {
  readonly columns: readonly Column[];
  readonly accountIds: readonly string[];
  /** Undefined: nothing was ever meant to leave then. */
  readonly cell: (accountId: string, date: string) => Cell | undefined;
}

const DAY_MS = 86_400_000;
/** More columns than this can't be told apart. */
export const MOST_COLUMNS = 60;

const utc = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const label = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The Monday of its week. */
const mondayOf = (date: string): string => {
  const instant = utc(date);
  return label(instant - ((new Date(instant).getUTCDay() + 6) % 7) * DAY_MS);
};

/** The Sunday of the week that begins then. */
export const weekEnd = (monday: string): string => label(utc(monday) + 6 * DAY_MS);

/** So many days the calendar spans. */
export function spanOf(days: readonly Day[]): number {
  const dates = days.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  return first === undefined || last === undefined ? 0 : (utc(last) - utc(first)) / DAY_MS + 1;
}

/** Every day from the first to the last, or every week, with what its accounts sent and are to send. */
export function gridOf(days: readonly Day[], today: string, by: 'days' | 'weeks'): Grid {
  const at = by === 'days' ? (date: string) => date : mondayOf;
  const cells = new Map<string, Cell>();
  for (const { date, accountId, sent, planned, launched, quota } of days) {
    const key = `${accountId} ${at(date)}`;
    const known = cells.get(key) ?? { sent: 0, planned: 0, launched: 0, quota: 0 };
    cells.set(key, {
      sent: known.sent + sent,
      planned: known.planned + planned,
      launched: known.launched + launched,
      quota: known.quota + quota,
    });
  }
  const accountIds = [...new Set(days.map(({ accountId }) => accountId))];
  const dates = datesOf(
    days.map(({ date }) => at(date)),
    by === 'days' ? 1 : 7,
  );
  let [sentSoFar, launchedSoFar, comesTo] = [0, 0, 0];
  const columns = dates.map((date): Column => {
    const own = accountIds.flatMap((id) => cells.get(`${id} ${date}`) ?? []);
    const sum = (field: keyof Cell) => own.reduce((all, each) => all + each[field], 0);
    const [sent, planned] = [sum('sent'), sum('planned')];
    sentSoFar += sent;
    launchedSoFar += sum('launched');
    comesTo += sent + planned;
    const now = at(today);
    const when = date === now ? 'now' : date < now ? 'past' : 'future';
    return { date, when, sent, planned, sentSoFar, launchedSoFar, comesTo };
  });
  return { columns, accountIds, cell: (accountId, date) => cells.get(`${accountId} ${date}`) };
}

function datesOf(known: readonly string[], step: 1 | 7): readonly string[] {
  const sorted = [...known].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: (utc(last) - utc(first)) / (step * DAY_MS) + 1 }, (_, n) =>
    label(utc(first) + n * step * DAY_MS),
  );
}

/** 1 to 4: how much of what it may send has left. */
export const heatOf = ({ sent, quota }: Pick<Cell, 'sent' | 'quota'>): 1 | 2 | 3 | 4 =>
  Math.max(1, Math.min(4, Math.ceil((4 * sent) / Math.max(1, quota)))) as 1 | 2 | 3 | 4;
