import { canonicalAddress } from '../../core/address.js';
import { hopelessIf, type Hopeless } from '../../core/hopeless.js';
import type { Lane } from '../../core/message.js';
import { forbids } from '../../core/suppression.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readListed } from './suppression-list.js';

interface Row {
  readonly id: number;
  readonly recipient: string;
  readonly lane: Lane;
  readonly transactional: number;
  readonly expires_at: number | null;
}

/** Those of these messages that must not be tried again, and why: asked before they are, so that nobody hopes in vain. */
export function* hopelessAmong(
  store: Store,
  ids: readonly number[],
  { workspaceId, now }: { readonly workspaceId: number; readonly now: number },
): Script<ReadonlyMap<number, Hopeless>> {
  if (ids.length === 0) return new Map();
  const rows = yield* askCompiled<Row>({
    sql: `select id, recipient, lane, transactional, expires_at from ${store.at('messages')} where ${
      store.dialect === 'postgres'
        ? 'id in (select value::bigint from json_array_elements_text($1::json))'
        : 'id in (select value from json_each(?1))'
    }`,
    parameters: [JSON.stringify(ids)],
  });
  const recipients = rows.map(({ recipient }) => recipient);
  const listed = yield* readListed(store, workspaceId, recipients);
  return new Map(
    rows.flatMap(({ id, recipient, lane, transactional, expires_at: expiresAt }) => {
      const known = listed.get(canonicalAddress(recipient));
      const errand = { lane, transactional: transactional === 1 };
      const suppression = known && forbids(known, errand) ? known : undefined;
      const hopeless = hopelessIf({ expiresAt, suppression }, now);
      return hopeless ? [[id, hopeless] as const] : [];
    }),
  );
}
