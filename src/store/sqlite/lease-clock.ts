import { readFileSync, readlinkSync } from 'node:fs';
import { agree, type Agreement } from '../../core/lease-clock.js';
import { ask, type Script } from '../script.js';
import { readFact, writeFact } from '../scripts/facts.js';
import type { Store } from '../store.js';
import { steadyMs } from '../steady.js';

const NAME = 'lease_clock';

/**
 * Leases run on the machine's steady clock, not on the time of day: were that corrected by an hour, every send in
 * flight would be taken from its living owner. Answers what to add to it; all processes of the machine get the same.
 *
 * A lease of a former start of the machine is cut to one lease from now: its owner is dead, and it has to run out.
 */
export function* agreeOnLeaseClock(store: Store, leaseMs: number): Script<number> {
  const fact = yield* readFact(store, NAME);
  const known = fact === undefined ? undefined : (JSON.parse(fact) as Agreement);
  const clocks = { boot: bootOf(), steadyMs: steadyMs(), wallMs: Date.now() };
  const { agreement, anew, formerLeases } = agree(known, clocks);
  if (anew) yield* writeFact(store, NAME, JSON.stringify(agreement));
  if (formerLeases) {
    const longest = agreement.offsetMs + clocks.steadyMs + leaseMs;
    yield* ask(store.db.updateTable('leases').set({ until: longest }).where('until', '>', longest));
  }
  return agreement.offsetMs;
}

/** Linux has an id for every start. A container with clocks of its own counts as a machine of its own. */
function bootOf(): string {
  const boot = ifAny(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return boot === '' ? '' : `${boot} ${ifAny(() => readlinkSync('/proc/self/ns/time'))}`.trim();
}

function ifAny(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
