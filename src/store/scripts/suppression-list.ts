import { canonicalAddress, canonicalBeginning } from '../../core/address.js';
import type { Lane } from '../../core/message.js';
import { forbids, type Errand, type Suppression, type SuppressionReason } from '../../core/suppression.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { SuppressionsTable } from '../tables.js';
import { Question } from './question.js';

export const SUPPRESSION_COLUMNS = [
  'address',
  'reason',
  'lanes',
  'created_at',
  'message_id',
  'note',
  'actor',
] as const;

export type SuppressionRow = Pick<SuppressionsTable, (typeof SUPPRESSION_COLUMNS)[number]>;

export const suppressionColumns = ({ reason, lanes, createdAt, messageId, note, actor }: Suppression) => ({
  ...{ reason, lanes: lanes?.join(' ') ?? null, created_at: createdAt },
  ...{ message_id: messageId, note, actor },
});

export const toSuppression = (row: SuppressionRow): Suppression => ({
  address: row.address,
  reason: row.reason,
  lanes: row.lanes === null ? null : (row.lanes.split(' ') as Lane[]),
  createdAt: row.created_at,
  messageId: row.message_id,
  note: row.note,
  actor: row.actor,
});

/** By its canonical form. */
export function* findSuppression(
  store: Store,
  workspaceId: number,
  address: string,
): Script<Suppression | undefined> {
  const row = yield* askOne(selectOne(store, workspaceId, address));
  return row && toSuppression(row);
}

/** The same, until the end of the transaction nobody else's. */
export function* lockSuppression(
  store: Store,
  workspaceId: number,
  address: string,
): Script<Suppression | undefined> {
  const query = selectOne(store, workspaceId, address);
  const [row] = yield* ask(store.dialect === 'postgres' ? query.forUpdate() : query);
  return row && toSuppression(row);
}

const selectOne = ({ db }: Store, workspaceId: number, address: string) =>
  db
    .selectFrom('suppressions')
    .select([...SUPPRESSION_COLUMNS])
    .where('workspace_id', '=', workspaceId)
    .where('address', '=', address);

/** What stands in the way of a mail at each of these addresses, in whatever spelling; by their canonical form. */
export function* suppressionsOf(
  store: Store,
  workspaceId: number,
  addresses: readonly string[],
  errand: Errand,
): Script<ReadonlyMap<string, Suppression>> {
  const listed = yield* readListed(store, workspaceId, addresses);
  return new Map([...listed].filter(([, suppression]) => forbids(suppression, errand)));
}

/** Whichever of these is on the list at all. */
export function* readListed(
  store: Store,
  workspaceId: number,
  addresses: readonly string[],
): Script<ReadonlyMap<string, Suppression>> {
  if (addresses.length === 0) return new Map();
  const question = new Question(store);
  const columns = SUPPRESSION_COLUMNS.map((column) => `r.${column}`).join(', ');
  const where = `r.workspace_id = ${question.bind(workspaceId)}`;
  const names = [...new Set(addresses.map(canonicalAddress))];
  const rows = yield* question.rows<SuppressionRow>(
    question.named({ table: 'suppressions', columns, where, by: 'address' }, names),
  );
  return new Map(rows.map((row) => [row.address, toSuppression(row)]));
}

export interface SuppressionFilter {
  /** The beginning of an address, in whatever spelling. */
  readonly q?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** Not before this instant. */
  readonly since?: number | undefined;
  /** Only what comes behind this address. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** How far one request looks for those of a rare reason. It then says where to go on. */
const SCAN = 10_000;

/** In the order of the addresses' bytes, which is that of the index. `next`: there may be more behind this one. */
export function* listSuppressions(
  store: Store,
  workspaceId: number,
  { q, reason, since, after = '', limit }: SuppressionFilter,
): Script<{ readonly items: readonly Suppression[]; readonly next: string | undefined }> {
  const beginning = q === undefined ? '' : canonicalBeginning(q);
  // An address that begins so is not before it; and behind the last page, whichever is further.
  const isNarrow = reason !== undefined || since !== undefined;
  const rowsSeen = isNarrow ? SCAN : limit;
  const parameters = [workspaceId, beginning, `${beginning}${LAST}`, after, rowsSeen];
  const { from, order } = stretch(store);
  const rows = yield* askCompiled<SuppressionRow>(
    isNarrow
      ? {
          // Whatever the reason: each is itself.
          sql: `select * from (${from}) s where reason = coalesce(${mark(store, 6)}, reason) and created_at >= ${mark(store, 7)}
                order by ${order} limit ${mark(store, 8)}`,
          parameters: [...parameters, reason ?? null, since ?? 0, limit],
        }
      : { sql: from, parameters },
  );
  const items = rows.map(toSuppression);
  if (items.length === limit) return { items, next: items.at(-1)?.address };
  if (!isNarrow) return { items, next: undefined };
  const [edge] = yield* askCompiled<SuppressionRow>({
    sql: `select * from (${from}) s order by ${order} limit 1 offset ${String(SCAN - 1)}`,
    parameters,
  });
  return { items, next: edge?.address };
}

/** Sorts behind every character that an address may hold. */
const LAST = '\u{10ffff}';

const mark = ({ dialect }: Store, n: number): string => `${dialect === 'postgres' ? '$' : '?'}${String(n)}`;

/** PostgreSQL compares bytes only where it is told to. */
function stretch(store: Store): { readonly from: string; readonly order: string } {
  const { dialect, at } = store;
  const order = dialect === 'postgres' ? 'address using ~<~' : 'address';
  const where =
    dialect === 'postgres'
      ? 'workspace_id = $1 and address ~>=~ $2 and address ~<~ $3 and address ~>~ $4'
      : 'workspace_id = ?1 and address >= ?2 and address < ?3 and address > ?4';
  return {
    order,
    from: `select ${SUPPRESSION_COLUMNS.join(', ')} from ${at('suppressions')} where ${where} order by ${order} limit ${mark(store, 5)}`,
  };
}
