import { sql } from '../../vendor/kysely.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** A caught mail without its bytes. */
export interface CaughtSummary {
  readonly id: number;
  readonly receivedAt: number;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly size: number;
}

export interface CaughtMail extends CaughtSummary {
  readonly raw: Buffer;
}

/** More than anybody scrolls through, and than a disk should hold for it; older ones make room. */
export const CAUGHT_KEPT = 1_000;
export const CAUGHT_BYTES_KEPT = 256 * 1024 * 1024;

export function* keepCaught(store: Store, mail: Omit<CaughtMail, 'id'>): Script<CaughtSummary> {
  const { db } = store;
  const { raw, ...summary } = mail;
  const inserted = yield* askOne(
    db
      .insertInto('caught')
      .values({
        received_at: mail.receivedAt,
        sender: mail.sender,
        recipients: JSON.stringify(mail.recipients),
        subject: mail.subject,
        size: mail.size,
        raw: raw.toString('base64'),
      })
      .returning('id'),
  );
  if (!inserted) throw new Error('a caught mail was not stored');
  yield* makeRoom(store);
  return { id: inserted.id, ...summary };
}

/** The newest stays, whatever its size. */
function* makeRoom({ db }: Store): Script<void> {
  const first = yield* askOne(
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('caught')
          .select([
            'id',
            sql<number>`row_number() over (order by id desc)`.as('place'),
            sql<number>`sum(size) over (order by id desc)`.as('bytes'),
          ])
          .as('kept'),
      )
      .select((eb) => eb.fn.max('id').as('id'))
      .where('place', '>', 1)
      .where((eb) => eb.or([eb('place', '>', CAUGHT_KEPT), eb('bytes', '>', CAUGHT_BYTES_KEPT)])),
  );
  if (first?.id != null) yield* ask(db.deleteFrom('caught').where('id', '<=', first.id));
}

/** Newest first, from below `before`. */
export function* listCaught(
  { db }: Store,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Script<readonly CaughtSummary[]> {
  const rows = yield* ask(
    db
      .selectFrom('caught')
      .select(['id', 'received_at', 'sender', 'recipients', 'subject', 'size'])
      .$if(before !== undefined, (query) => query.where('id', '<', before as number))
      .orderBy('id', 'desc')
      .limit(limit),
  );
  return rows.map(toSummary);
}

/** At most `CAUGHT_KEPT`. */
export function* countCaught({ db }: Store): Script<number> {
  const row = yield* askOne(db.selectFrom('caught').select((eb) => eb.fn.countAll<number>().as('n')));
  return row?.n ?? 0;
}

export function* findCaught({ db }: Store, id: number): Script<CaughtMail | undefined> {
  const row = yield* askOne(db.selectFrom('caught').selectAll().where('id', '=', id));
  return row && { ...toSummary(row), raw: Buffer.from(row.raw, 'base64') };
}

/** Answers how many there were. */
export function* forgetCaught({ db }: Store): Script<number> {
  return (yield* ask(db.deleteFrom('caught').returning('id'))).length;
}

const toSummary = (row: {
  id: number;
  received_at: number;
  sender: string;
  recipients: string;
  subject: string;
  size: number;
}): CaughtSummary => ({
  id: row.id,
  receivedAt: row.received_at,
  sender: row.sender,
  recipients: JSON.parse(row.recipients) as string[],
  subject: row.subject,
  size: row.size,
});
