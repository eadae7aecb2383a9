import { randomUUID } from 'node:crypto';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Tx } from 'pillarbox';
import type { Booking, Wish } from './booking.js';

/**
 * The application's own table, in the SQLite file that Pillarbox uses too. The library is node:sqlite for a Node
 * that has none yet; any other that has `prepare` would do.
 */
export class Bookings {
  readonly #db: DatabaseSyncInstance;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec('pragma busy_timeout = 5000');
    this.#db.exec('pragma synchronous = full');
    this.#db.exec(TABLE);
  }

  /**
   * All or nothing. One after the other: a handle has one transaction at a time, and whoever awaits something in
   * his own would otherwise find the statements of another request in it.
   */
  transaction<T>(work: (tx: Tx) => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(() => this.#immediate(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #immediate<T>(work: (tx: Tx) => T | Promise<T>): Promise<T> {
    this.#db.exec('begin immediate');
    try {
      const result = await work(this.#db);
      this.#db.exec('commit');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** Undefined: somebody else has that hour. */
  add({ guest, title, startsAt, minutes }: Wish, now: number): Booking | undefined {
    const insert = this.#db.prepare(
      `insert into bookings (id, guest_name, guest_email, title, starts_at, minutes, sequence, booked_at)
       values (?, ?, ?, ?, ?, ?, 0, ?) on conflict do nothing returning *`,
    );
    const values = [randomUUID(), guest.name, guest.email, title, startsAt, minutes, now];
    return toBooking(insert.get(...values) as Row | undefined);
  }

  /** Again is fine, and changes nothing. Undefined: there is no such booking. */
  cancel(id: string, now: number): Booking | undefined {
    this.#db
      .prepare(
        'update bookings set cancelled_at = ?, sequence = sequence + 1 where id = ? and cancelled_at is null',
      )
      .run(now, id);
    return toBooking(this.#db.prepare('select * from bookings where id = ?').get(id) as Row | undefined);
  }

  close(): void {
    this.#db.close();
  }
}

const TABLE = `
  create table if not exists bookings (
    id text primary key,
    guest_name text not null,
    guest_email text not null,
    title text not null,
    starts_at integer not null,
    minutes integer not null,
    sequence integer not null,
    booked_at integer not null,
    cancelled_at integer
  ) strict;
  create unique index if not exists bookings_by_hour on bookings (starts_at) where cancelled_at is null`;

interface Row {
  readonly id: string;
  readonly guest_name: string;
  readonly guest_email: string;
  readonly title: string;
  readonly starts_at: number;
  readonly minutes: number;
  readonly sequence: number;
  readonly booked_at: number;
  readonly cancelled_at: number | null;
}

const toBooking = (row: Row | undefined): Booking | undefined =>
  row && {
    id: row.id,
    guest: { name: row.guest_name, email: row.guest_email },
    title: row.title,
    startsAt: row.starts_at,
    minutes: row.minutes,
    sequence: row.sequence,
    bookedAt: row.booked_at,
    cancelledAt: row.cancelled_at,
  };
