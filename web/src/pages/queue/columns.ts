import { createKeptStore } from '../../store';

/** Those that can be left out; state, to and subject, and when stay. */
export const OPTIONAL_COLUMNS = ['lane', 'account', 'tries'] as const;
export type Column = (typeof OPTIONAL_COLUMNS)[number];

export const COLUMN_LABELS: Record<Column, string> = { lane: 'Lane', account: 'Account', tries: 'Tries' };

const isColumns = (value: unknown): value is readonly Column[] =>
  Array.isArray(value) && value.every((each) => OPTIONAL_COLUMNS.includes(each as Column));

const chosen = createKeptStore<readonly Column[]>('pillarbox.queue.columns', OPTIONAL_COLUMNS, isColumns);
export const useColumns = chosen.use;
export const setColumns = chosen.set;

/** A narrow list lets them go, the account first. The width is that of the list, not of the window. */
export const COLUMN_LOOK: Record<Column, string> = {
  account: 'w-[140px] @max-[760px]:hidden',
  lane: 'w-[96px] @max-[560px]:hidden',
  tries: 'w-[62px] text-right @max-[500px]:hidden',
};

export const LANE_LABELS = { outbox: 'Outbox', campaign: 'Campaign', notification: 'Notification' } as const;
