import { outcomeOfLookup, type Outcome } from '../core/outcome.js';
import type { SendError } from '../core/report.js';
import type { LookupAnswer } from '../transport/transport.js';
import type { DeliveryPorts } from './delivery.js';
import type { Leased } from './leased.js';
import { outgoingOf } from './outgoing.js';
import { trialOf } from './result.js';

/** A provider that has not said so long whether it has a mail can't tell. Never longer than a lease. */
const LOOKUP_MS = 30_000;

/** Asks a provider that can be asked. Undefined: it can't tell, or failed to answer, and the policy decides. */
export async function lookUp(
  leased: Pick<Leased, 'message' | 'sender' | 'claimedAt' | 'inline' | 'prepared'> & { readonly now: number },
  ports: Pick<DeliveryPorts, 'contentOf' | 'installation' | 'leaseMs' | 'speed'>,
  error: SendError,
): Promise<Outcome | undefined> {
  const { message, sender, claimedAt, prepared } = leased;
  const { transport } = sender;
  if (!transport.lookup) return undefined;
  try {
    const content = await ports.contentOf(message, sender, prepared);
    const { done } = content;
    if (!('mail' in content)) {
      done();
      return undefined;
    }
    const outgoing = outgoingOf(message, claimedAt, ports.installation, content.mail);
    const asked = transport.lookup(outgoing).finally(done);
    const answer = await inTime(asked, Math.min(LOOKUP_MS, ports.leaseMs));
    return answer === 'unknown'
      ? undefined
      : outcomeOfLookup(answer, error, trialOf(message, { ...leased, speed: ports.speed }));
  } catch {
    return undefined;
  }
}

/** `unknown` if the answer does not come in time. */
async function inTime(asked: Promise<LookupAnswer>, ms: number): Promise<LookupAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<LookupAnswer>((resolve) => {
    timer = setTimeout(resolve, ms, 'unknown');
  });
  return Promise.race([asked, late]).finally(() => {
    clearTimeout(timer);
  });
}
