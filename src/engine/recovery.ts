import { LEASE_LOST, outcomeOfLoss, type Outcome } from '../core/outcome.js';
import type { Mail } from '../core/mail.js';
import type { Logger } from '../log/log.js';
import type { LostClaim, Store } from '../store/store.js';
import { isMade, type PreparedContents } from './contents.js';
import type { DeliveryPorts } from './delivery.js';
import { FewAtOnce } from './few-at-once.js';
import { lookUp } from './look-up.js';
import type { Renewal } from './renewer.js';
import type { Sender, Senders } from './senders.js';
import { trialOf } from './result.js';
import type { Settler } from './settler.js';

type LostMessage = LostClaim['messages'][number];

export interface RecoveryPorts extends Pick<
  DeliveryPorts,
  'prepareContents' | 'contentOf' | 'installation' | 'leaseMs' | 'speed'
> {
  readonly worker: string;
  readonly store: Store;
  readonly senders: Senders;
  readonly settler: Settler;
  readonly log: Logger;
  readonly renewer: Renewal;
}

const LEASES_AT_ONCE = 4;
/** A provider that is asked about everything that one worker had in hand must not be stormed. */
const LOOKUPS_AT_ONCE = 5;
/** Whoever has not been asked about after so long is left to his policy: other leases wait behind this one. */
const LOOKUPS_MS = 2 * 60_000;

/** A lease that was taken over, and what all its messages share. */
interface Salvage {
  readonly claim: LostClaim;
  readonly now: number;
  /** What was handed over and is stored nowhere is made again. */
  readonly prepared: PreparedContents | undefined;
  readonly lookUps: FewAtOnce;
  readonly lookUntil: number;
}

/**
 * Goes on where a worker was lost. Its leases are taken over under new fences, each message is judged by what is
 * known of it (was it handed over? withdrawn? alone?), and settled like any other. One that can't be judged keeps
 * none of the others: its lease runs out again, with it alone, and it is told at the end. Answers how many leases.
 */
export async function recover(ports: RecoveryPorts): Promise<number> {
  // Without renewal they would only run out again in our hands.
  if (!ports.renewer.alive) return 0;
  const lost = await ports.store.takeOver(ports.worker, LEASES_AT_ONCE);
  for (const claim of lost) ports.renewer.hold(claim.lease);
  const failures: unknown[] = [];
  for (const claim of lost) {
    const handed = claim.messages.filter((message) => message.handed).length;
    ports.log.warn(
      { lease: claim.lease, messages: claim.messages.length, handed },
      'took over a lease that ran out',
    );
    try {
      failures.push(...(await salvage(claim, ports)));
    } catch (error) {
      failures.push(error);
    }
    // Also if that failed: then the lease must run out, so that it is taken over again.
    ports.renewer.drop(claim.lease);
  }
  if (failures.length > 0) throw failures[0];
  return lost.length;
}

/** Answers why some of its messages could not be settled. */
async function salvage(claim: LostClaim, ports: RecoveryPorts): Promise<readonly unknown[]> {
  const shared: Salvage = {
    claim,
    now: await ports.store.now(),
    prepared: ports.prepareContents(claim.messages.filter(({ handed }) => handed)),
    lookUps: new FewAtOnce(LOOKUPS_AT_ONCE),
    lookUntil: performance.now() + LOOKUPS_MS,
  };
  const ends = await Promise.allSettled(claim.messages.map((message) => settleLost(message, shared, ports)));
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
}

async function settleLost(message: LostMessage, shared: Salvage, ports: RecoveryPorts): Promise<void> {
  const { claim } = shared;
  const sender = await ports.senders.of(message.channelId);
  const outcome = await judge(message, sender, shared, ports);
  await ports.settler.settleLost({
    ...{ message, sender, outcome, lease: claim.lease, startedAt: null },
    handedAt: message.handed ? claim.handedAt : null,
    mayHaveLeft: message.handed ? await madeContent(message, sender, shared, ports) : undefined,
    lost: { alone: claim.alone },
  });
}

/** What its worker had made for it, made again; undefined: it is stored, or can't be made. */
async function madeContent(
  message: LostMessage,
  sender: Sender,
  { prepared }: Salvage,
  ports: RecoveryPorts,
): Promise<Mail | undefined> {
  if (!isMade(message)) return undefined;
  const content = await ports.contentOf(message, sender, prepared);
  content.done();
  return 'mail' in content ? content.mail : undefined;
}

async function judge(
  message: LostMessage,
  sender: Sender,
  { claim, now, prepared, lookUps, lookUntil }: Salvage,
  ports: RecoveryPorts,
): Promise<Outcome> {
  const { claimedAt, inline } = claim;
  const { handed, withdrawn, loneLosses } = message;
  if (handed && sender.transport.lookup) {
    const found = await lookUps.run(async () =>
      performance.now() < lookUntil
        ? lookUp({ message, sender, claimedAt, inline, now, prepared }, ports, LEASE_LOST)
        : undefined,
    );
    if (found) return found;
  }
  return outcomeOfLoss(
    { handed, withdrawn, alone: claim.alone, loneLosses },
    trialOf(message, { claimedAt, inline, now, speed: ports.speed }),
  );
}
