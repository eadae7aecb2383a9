import { sql } from '../../vendor/kysely.js';
import { canonicalAddress } from '../../core/address.js';
import { normaliseErrorText } from '../../core/fingerprint.js';
import type { Mail } from '../../core/mail.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import { BLANKED } from '../message-columns.js';
import type { Store } from '../store.js';
import { leasesOf } from './messages.js';
import { cancelAll } from './cancel.js';
import { dismissAll, type Actor } from './moves.js';

/** What is left to do for a straggler: `recipient` is forgotten altogether, `copy` only left out. */
const ERASE = { recipient: 1, copy: 2 } as const;
const LOOK_AGAIN_MS = 5_000;
/** Addresses stand at the beginning of a frozen mail; the rest may be megabytes. */
const HEAD_CHARACTERS = 100_000;

/** A message that somebody got, or would have got. */
export interface PersonMessage {
  readonly id: number;
  readonly key: string | null;
  readonly traceId: string | null;
  readonly recipient: string;
  /** He is its recipient; otherwise he gets a copy. */
  readonly own: boolean;
}

/** The last of the next `size` messages of a workspace; undefined: there are none. */
export function* endOfWindow(
  { db }: Store,
  workspaceId: number,
  after: number,
  size: number,
): Script<number | undefined> {
  const row = yield* askOne(
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('messages')
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(size)
          .as('w'),
      )
      .select((eb) => eb.fn.max('w.id').as('id')),
  );
  return row?.id ?? undefined;
}

/** Those within a window that go to an address (in lower case), or of which it gets a copy. Oldest first. */
export function* messagesOfPerson(
  { db, dialect }: Store,
  workspaceId: number,
  address: string,
  window: { readonly after: number; readonly until: number },
): Script<readonly PersonMessage[]> {
  const own = sql<boolean | number>`lower(m.recipient) = ${address}`;
  const position = sql.raw(dialect === 'postgres' ? 'strpos' : 'instr');
  const head = sql`lower(substr(x.mail, 1, ${sql.lit(HEAD_CHARACTERS)}))`;
  // Whoever sends stands there too.
  const copied = sql<boolean>`(lower(m.sender) <> ${address} and ${position}(${head}, ${JSON.stringify(address)}) > 0)`;
  const rows = yield* ask(
    db
      .selectFrom('messages as m')
      .leftJoin('contents as x', 'x.message_id', 'm.id')
      .select(['m.id', 'm.idempotency_key', 'm.trace_id', 'm.recipient', own.as('own')])
      .where('m.workspace_id', '=', workspaceId)
      .where('m.id', '>', window.after)
      .where('m.id', '<=', window.until)
      .where(sql<boolean>`(${own} or ${copied})`)
      .orderBy('m.id'),
  );
  return rows.map((row) => ({
    id: row.id,
    key: row.idempotency_key,
    traceId: row.trace_id,
    recipient: row.recipient,
    own: Boolean(row.own),
  }));
}

export interface ErasedMessages {
  readonly erased: number;
  readonly cancelled: number;
  /** Are leaving at this moment; the sweeper erases them when they have ended. */
  readonly inFlight: number;
}

/**
 * Erases these messages of one person. What waits is cancelled and what a worker holds is withdrawn, through the moves
 * that everybody makes; what needs a decision is dismissed. `mask` takes the address out of a text.
 */
export function* eraseMessages(
  store: Store,
  messages: readonly PersonMessage[],
  address: string,
  mask: (text: string) => string,
  actor: Actor,
): Script<ErasedMessages> {
  const own = messages.filter((message) => message.own);
  const copies = messages.filter((message) => !message.own);
  yield* maskNames(store, messages, mask);
  const before = yield* finishedOf(store, own);
  yield* cancelAll(
    store,
    idsOf(own).filter((id) => !before.has(id)),
    actor,
  );
  if (before.size > 0) yield* dismissAll(store, [...before], actor);
  const after = yield* finishedOf(store, own);
  yield* blankPerson(store, [...after]);
  yield* comeBack(
    store,
    idsOf(own).filter((id) => !after.has(id)),
    ERASE.recipient,
    actor,
  );
  const leased = yield* leasesOf(store, idsOf(copies));
  const finished = yield* finishedOf(store, copies);
  for (const { id } of copies.filter((message) => !finished.has(message.id)))
    yield* leaveOut(store, id, address);
  yield* blankErrors(
    store,
    idsOf(copies).filter((id) => !leased.has(id)),
  );
  yield* deleteContents(store, [...finished]);
  yield* comeBack(store, [...leased.keys()], ERASE.copy, actor);
  return {
    erased: messages.length,
    cancelled: after.size - before.size,
    inFlight: own.length - after.size + leased.size,
  };
}

const idsOf = (messages: readonly PersonMessage[]): readonly number[] => messages.map(({ id }) => id);

function* finishedOf(
  store: Store,
  messages: readonly { readonly id: number }[],
): Script<ReadonlySet<number>> {
  const ids = messages.map(({ id }) => id);
  const rows = yield* ask(
    store.db
      .selectFrom('outcomes')
      .select('message_id')
      .where(among(store, sql.ref('message_id'), ids)),
  );
  return new Set(rows.map((row) => row.message_id));
}

/** Keys and traces are the caller's own; some have an address in them. */
function* maskNames(
  { db }: Store,
  messages: readonly PersonMessage[],
  mask: (text: string) => string,
): Script<void> {
  for (const { id, key, traceId } of messages) {
    const [keyMasked, traceMasked] = [key && mask(key), traceId && mask(traceId)];
    if (keyMasked === key && traceMasked === traceId) continue;
    yield* ask(
      db
        .updateTable('messages')
        // A message is known by its key: two that were different stay so.
        .set({
          idempotency_key: keyMasked === key ? key : `${keyMasked ?? ''} ${String(id)}`,
          trace_id: traceMasked,
        })
        .where('id', '=', id),
    );
  }
}

/** Everything that says who it was. That something was sent, when, and by which account, stays. */
function* blankPerson(store: Store, ids: readonly number[]): Script<void> {
  if (ids.length === 0) return;
  yield* blankErrors(store, ids);
  yield* ask(
    store.db
      .updateTable('messages')
      .set(BLANKED)
      .where(among(store, sql.ref('id'), ids)),
  );
  yield* deleteContents(store, ids);
}

/** Servers quote addresses. */
function* blankErrors(store: Store, ids: readonly number[]): Script<void> {
  if (ids.length === 0) return;
  const { db } = store;
  yield* ask(
    db
      .updateTable('attempts')
      .set({ error: null })
      .where(among(store, sql.ref('message_id'), ids))
      .where('error', 'is not', null),
  );
  yield* ask(
    db
      .updateTable('announcements')
      .set({ error: null })
      .where(among(store, sql.ref('message_id'), ids)),
  );
  yield* ask(
    db
      .updateTable('messages')
      .set({ error: null })
      .where(among(store, sql.ref('id'), ids))
      .where('error', 'is not', null),
  );
}

function* deleteContents(store: Store, ids: readonly number[]): Script<void> {
  if (ids.length > 0)
    yield* ask(store.db.deleteFrom('contents').where(among(store, sql.ref('message_id'), ids)));
}

/** The mail goes to the others without him. */
function* leaveOut({ db }: Store, id: number, address: string): Script<void> {
  const row = yield* askOne(db.selectFrom('contents').select('mail').where('message_id', '=', id));
  const known = row && parseMail(row.mail);
  if (!known) return;
  const mail = JSON.stringify(withoutPerson(known, address));
  yield* ask(
    db
      .updateTable('contents')
      .set({ mail, bytes: Buffer.byteLength(mail) })
      .where('message_id', '=', id),
  );
}

/** Undefined: damaged, so it goes to nobody. */
function parseMail(text: string): Mail | undefined {
  try {
    return JSON.parse(text) as Mail;
  } catch {
    return undefined;
  }
}

function withoutPerson({ cc = [], bcc = [], replyTo, ...mail }: Mail, address: string): Mail {
  const others = (list: NonNullable<Mail['cc']>) =>
    list.filter(({ email }) => canonicalAddress(email) !== address);
  return {
    ...mail,
    ...(others(cc).length > 0 && { cc: others(cc) }),
    ...(others(bcc).length > 0 && { bcc: others(bcc) }),
    ...(replyTo && canonicalAddress(replyTo.email) !== address && { replyTo }),
  };
}

function* comeBack(
  { db }: Store,
  ids: readonly number[],
  erase: number,
  { workspaceId, now }: Actor,
): Script<void> {
  if (ids.length === 0) return;
  yield* ask(
    db
      .insertInto('stragglers')
      .values(ids.map((id) => ({ message_id: id, workspace_id: workspaceId, look_at: now, erase })))
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ erase, look_at: now })),
  );
}

/** Whether something waits for its end to be erased. */
export function* isErasing({ db }: Store, now: number): Script<boolean> {
  const row = yield* askOne(
    db
      .selectFrom('stragglers')
      .select('message_id')
      .where('look_at', '<=', now)
      .where('erase', '>', 0)
      .limit(1),
  );
  return row !== undefined;
}

/** What was leaving when its recipient was erased, as far as it has ended by now. */
export function* eraseInFlight(store: Store, now: number, limit: number): Script<void> {
  const { db } = store;
  const due = yield* ask(
    db
      .selectFrom('stragglers')
      .selectAll()
      .where('look_at', '<=', now)
      .where('erase', '>', 0)
      .orderBy('look_at')
      .limit(limit)
      .$if(store.dialect === 'postgres', (query) => query.forUpdate().skipLocked()),
  );
  const own = due.filter(({ erase }) => erase === ERASE.recipient);
  for (const { message_id: id, workspace_id: workspaceId } of own) {
    yield* maskCause(store, id);
    yield* cancelAll(store, [id], { workspaceId, now });
    yield* dismissAll(store, [id], { workspaceId, now });
  }
  const ended = yield* finishedOf(store, own.map(asMessage));
  yield* blankPerson(store, [...ended]);
  const copies = due.filter(({ erase }) => erase === ERASE.copy).map(asMessage);
  const leased = yield* leasesOf(
    store,
    copies.map(({ id }) => id),
  );
  const free = copies.map(({ id }) => id).filter((id) => !leased.has(id));
  yield* blankErrors(store, free);
  yield* deleteContents(store, [...(yield* finishedOf(store, copies))]);
  const done = new Set([...ended, ...free]);
  const of = (ids: readonly number[]) => among(store, sql.ref('message_id'), ids);
  yield* ask(db.deleteFrom('stragglers').where(of([...done])));
  const left = due.map(({ message_id: id }) => id).filter((id) => !done.has(id));
  yield* ask(
    db
      .updateTable('stragglers')
      .set({ look_at: now + LOOK_AGAIN_MS })
      .where(of(left)),
  );
}

const asMessage = ({ message_id: id }: { message_id: number }) => ({ id });

/** The cause that it died of may be told in the very words in which a server spoke of him. */
function* maskCause({ db }: Store, id: number): Script<void> {
  const row = yield* askOne(
    db
      .selectFrom('outcomes as o')
      .innerJoin('messages as m', 'm.id', 'o.message_id')
      .innerJoin('dead_causes as c', (join) =>
        join.onRef('c.workspace_id', '=', 'o.workspace_id').onRef('c.fingerprint', '=', 'o.fingerprint'),
      )
      .select(['c.workspace_id', 'c.fingerprint', 'c.sample'])
      .whereRef('c.sample', '=', 'm.error')
      .where('m.id', '=', id),
  );
  if (!row) return;
  yield* ask(
    db
      .updateTable('dead_causes')
      .set({ sample: normaliseErrorText(row.sample) })
      .where('workspace_id', '=', row.workspace_id)
      .where('fingerprint', '=', row.fingerprint),
  );
}
