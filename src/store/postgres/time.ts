import type { VirtualClock } from '../../core/clock.js';

/** The database's clock in epoch ms. Workers with skewed clocks agree because none of them is asked. */
export const CLOCK = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** What people see: the same, or the virtual time that runs along with it. */
export const nowExpression = (virtual: VirtualClock | undefined): string =>
  virtual === undefined
    ? CLOCK
    : `floor(${String(virtual.startMs)} + (${CLOCK} - ${String(virtual.anchorMs)}) * ${String(virtual.speed)}::numeric)::bigint`;

/** What every statement builder of this folder needs to know. */
export interface StatementContext {
  readonly schema: string;
  readonly now: string;
  readonly leaseMs: number;
}

/** A statement that PostgreSQL parses once per connection. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}
