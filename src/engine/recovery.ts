import { LEASE_LOST, outcomeOfLoss, type Outcome } from '../core/outcome.js';
import type { Logger } from '../log.js';
import type { LostClaim, Store } from '../store/store.js';
import { lookUp, type DeliveryPorts } from './delivery.js';
import type { Renewer } from './renewer.js';
import type { Senders } from './senders.js';
import { settlementOf, trialOf } from './settlement.js';
import type { Settler } from './settler.js';

type LostMessage = LostClaim['messages'][number];

export interface RecoveryPorts extends Pick<DeliveryPorts, 'contentOf' | 'installation' | 'worker'> {
  readonly store: Store;
  readonly senders: Senders;
  readonly settler: Settler;
  readonly log: Logger;
  readonly renewer: Renewer;
}

const LEASES_AT_ONCE = 4;

/**
 * Goes on where a worker was lost. Its leases are taken over under new fences, each message is judged by what is
 * known of it (was it handed over? withdrawn? alone?), and settled like any other. Answers how many leases.
 */
export async function recover(ports: RecoveryPorts): Promise<number> {
  const lost = await ports.store.takeOver(ports.worker, LEASES_AT_ONCE);
  for (const claim of lost) {
    ports.renewer.hold(claim.lease);
    const handed = claim.messages.filter((message) => message.handed).length;
    ports.log.warn(
      { lease: claim.lease, messages: claim.messages.length, handed },
      'took over a lease that ran out',
    );
    try {
      await Promise.all(claim.messages.map((message) => settleLost(claim, message, ports)));
    } finally {
      // Also if that failed: then the lease must run out, so that it is taken over again.
      ports.renewer.drop(claim.lease);
    }
  }
  return lost.length;
}

async function settleLost(claim: LostClaim, message: LostMessage, ports: RecoveryPorts): Promise<void> {
  const outcome = await judge(claim, message, ports);
  const sender = await ports.senders.of(message.channelId);
  const entry = settlementOf(message, outcome, {
    lease: claim.lease,
    startedAt: null,
    handedAt: message.handed ? claim.handedAt : null,
    worker: ports.worker,
  });
  await ports.settler.settle({
    entry: { ...entry, lost: true, alone: claim.alone },
    outcome,
    message,
    sender,
  });
}

async function judge(claim: LostClaim, message: LostMessage, ports: RecoveryPorts): Promise<Outcome> {
  const { claimedAt, inline } = claim;
  const now = await ports.store.now();
  if (message.handed) {
    const sender = await ports.senders.of(message.channelId);
    const found = await lookUp({ message, sender, claimedAt, inline, now }, ports, LEASE_LOST);
    if (found) return found;
  }
  const { handed, withdrawn, loneLosses } = message;
  return outcomeOfLoss(
    { handed, withdrawn, alone: claim.alone, loneLosses },
    trialOf(message, { claimedAt, inline, now }),
  );
}
