import { PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { Script } from '../store/script.js';
import { listSealed, replaceSealed, type Sealed } from '../store/scripts/account-edits.js';
import type { Store } from '../store/store.js';
import { resealDkim, sealOfDkim } from './sealed-dkim.js';
import { resealTransport, sealOfTransport } from './sealed-transport.js';
import type { SecretBox } from './secret-box.js';

type Row = { readonly id: number } & Sealed;

/** The credentials of an account, sealed: those of its transport, and the key that signs its mail. */
const sealsOf = (row: Row): readonly string[] =>
  [sealOfTransport(row), sealOfDkim(row)].filter((seal) => seal !== undefined);

/** A worker without the key would take every account for broken; better it does not start. */
export function* refuseUnknownSecrets(store: Store, box: SecretBox): Script<void> {
  for (const row of yield* listSealed(store)) sealsOf(row).forEach((seal) => box.checkKey(seal));
}

export interface Rotation {
  readonly rotated: number;
  /** Had the current key already. */
  readonly current: number;
}

/** Seals everything anew with the first secret: all of it, or nothing if one can't be opened. */
export function* rotateSecrets(store: Store, box: SecretBox): Script<Rotation> {
  let rotated = 0;
  let current = 0;
  for (const row of yield* listSealed(store, { lock: true })) {
    if (sealsOf(row).every((seal) => box.isCurrent(seal))) {
      current += 1;
      continue;
    }
    yield* replaceSealed(store, row.id, resealOrName(box, row));
    rotated += 1;
  }
  return { rotated, current };
}

/** Throws `invalid_config` if it can't be opened. */
export const reseal = (box: SecretBox, row: Row): Sealed => ({
  transport: resealTransport(box, row),
  dkim: resealDkim(box, row),
});

/** Of many accounts, which one it is must be told. */
function resealOrName(box: SecretBox, row: Row): Sealed {
  try {
    return reseal(box, row);
  } catch (error) {
    if (!(error instanceof PillarboxError)) throw error;
    throw new PillarboxError(error.code, `${formatId('account', row.id)}: ${error.message}`, {
      cause: error,
    });
  }
}
