import { hasSecret, masked, type AccountTransport, type TransportKind } from '../core/account-transport.js';
import { PillarboxError } from '../core/errors.js';
import type { SecretBox } from './secret-box.js';

/** What stands in an account's row. `sealed` is there only if there is something to hide. */
interface StoredTransport {
  /** `process`: as the process says that sends. `removed`: the account is gone, and its credentials with it. */
  readonly kind: TransportKind | 'process' | 'removed';
  readonly shown?: AccountTransport;
  readonly sealed?: string;
}

interface Row {
  readonly id: number;
  readonly transport: string;
}

/** The default account sends as this process says; its credentials are not stored. */
export const PROCESS_TRANSPORT = JSON.stringify({ kind: 'process' } satisfies StoredTransport);
export const REMOVED_TRANSPORT = JSON.stringify({ kind: 'removed' } satisfies StoredTransport);

const placeOf = (accountId: number): string => `accounts.transport ${String(accountId)}`;

const parse = ({ transport }: Pick<Row, 'transport'>): StoredTransport =>
  JSON.parse(transport) as StoredTransport;

export const isOfProcess = (row: Pick<Row, 'transport'>): boolean => parse(row).kind === 'process';

/** Throws `invalid_config` if it holds a secret and there is no key for it. */
export function sealTransport(box: SecretBox, accountId: number, transport: AccountTransport): string {
  const { kind } = transport;
  const stored: StoredTransport = hasSecret(transport)
    ? { kind, shown: masked(transport), sealed: box.seal(JSON.stringify(transport), placeOf(accountId)) }
    : { kind, shown: transport };
  return JSON.stringify(stored);
}

/** As it may be shown; undefined: the process's own. Needs no key. */
export const shownTransport = (row: Pick<Row, 'transport'>): AccountTransport | undefined => parse(row).shown;

export const sealOfTransport = (row: Pick<Row, 'transport'>): string | undefined => parse(row).sealed;

/** With its secrets; undefined: the process's own. Throws `invalid_config` if it can't be opened. */
export function openTransport(box: SecretBox, row: Row): AccountTransport | undefined {
  const { kind, shown, sealed } = parse(row);
  if (kind === 'process') return undefined;
  if (sealed !== undefined) return JSON.parse(box.open(sealed, placeOf(row.id))) as AccountTransport;
  if (shown) return shown;
  throw new PillarboxError('invalid_config', 'the account has no transport');
}

/** The same, sealed with the first secret. */
export function resealTransport(box: SecretBox, row: Row): string {
  const transport = sealOfTransport(row) === undefined ? undefined : openTransport(box, row);
  return transport ? sealTransport(box, row.id, transport) : row.transport;
}
