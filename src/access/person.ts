import { parseAddress } from '../core/address.js';

/** By which somebody is known: people write their address in any case, and a domain in any script. */
export function personOf(email: string): string {
  const parsed = parseAddress(email);
  return ('fault' in parsed ? email : parsed.address).toLowerCase();
}
