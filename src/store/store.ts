import type { Kysely } from '../vendor/kysely.js';
import type { Event } from '../core/lifecycle.js';
import type { Action, AttemptOutcome, DoubtPolicy, Lane } from '../core/message.js';
import type { ErrorClass } from '../core/report.js';
import type { MigrationReport } from './migrate.js';
import type { Script } from './script.js';
import type { Tables } from './tables.js';

/**
 * The database, as the engine sees it. The moves that every message makes (enqueue, claim, gate, settle, renew,
 * take over) are written by hand for each database; a contract suite holds the two to the same behaviour. All
 * else is a `Script`, written once.
 */
export interface Store {
  readonly dialect: 'postgres' | 'sqlite';
  /** Builds statements; runs none. */
  readonly db: Kysely<Tables>;
  /** A table's name as this database must write it. */
  readonly at: (table: string) => string;
  /** Part of every Message-ID of this installation. */
  readonly installation: string;
  /** How fast `now` runs; 1 without a virtual clock. */
  readonly speed: number;
  /** What a thread of its own needs to renew leases while the main one is busy. */
  readonly renewal: RenewalAccess;

  migrate(): Promise<MigrationReport>;
  /** The database's clock, virtual if so configured: what every instant shown to people is measured by. */
  now(): Promise<number>;
  /**
   * From here on `now` is this instant, for this object alone, and runs on like the real clock. For telling a past:
   * never beyond the real time, always forward, and while nobody else works on what is told.
   */
  setClock(now: number): Promise<void>;
  /** Runs a script that only reads. */
  read<T>(script: Script<T>): Promise<T>;
  /** Runs a script that writes: all of it or nothing. */
  transaction<T>(script: Script<T>): Promise<T>;

  /** Stores messages, each once per key. One answer a message, in the order given. */
  enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]>;
  /** Stores messages in the caller's own hands, under one new lease: nobody else may send them before he is done. */
  enqueueHeld(messages: readonly NewMessage[], owner: string): Promise<HeldEnqueue>;
  /** `enqueue` inside a caller's own transaction. */
  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]>;

  /** Which channels have something to do now. A blocked one is not among them and costs nothing. */
  openChannels(): Promise<readonly OpenChannel[]>;
  /** Takes due messages under a new lease. Undefined: there was nothing to take. */
  claim(request: ClaimRequest): Promise<Claim | undefined>;
  /** The hand-over gate: the durable mark, and the last look at lease, cancellation, suppression, pause, expiry. */
  gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]>;
  /** Writes results of any part of any lease. False: the lease was lost, and someone else decides. */
  settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]>;
  /** Takes over leases that ran out, under new fences, with what is known of their messages. */
  takeOver(owner: string, limit: number): Promise<readonly LostClaim[]>;

  /** Tells when there may be something due in a channel; undefined: anywhere. */
  onWake(listen: (channelId: number | undefined) => void): void;
  /** Starts listening for wake-ups from other processes. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface NewMessage {
  readonly workspaceId: number;
  readonly channelId: number;
  readonly lane: Lane;
  readonly action: Action;
  readonly idempotencyKey: string | null;
  readonly bodyHash: string | null;
  readonly recipient: string;
  readonly recipientName: string | null;
  readonly sender: string;
  readonly subject: string | null;
  /** Null: now, by the database's clock. */
  readonly dueAt: number | null;
  readonly expiresAt: number | null;
  readonly retryPolicy: string;
  readonly doubtPolicy: DoubtPolicy;
  readonly transactional: boolean;
  readonly traceId: string | null;
  /** The frozen mail as JSON. */
  readonly mail: string;
}

export interface Enqueued {
  readonly id: number;
  /** The key was known: nothing was stored, `id` is the first message's. */
  readonly duplicate: boolean;
  /** The content hash of the first message, to tell a repeated call from a reused key. */
  readonly bodyHash: string | null;
}

export interface HeldEnqueue {
  readonly enqueued: readonly Enqueued[];
  /** What is new; undefined if nothing is. */
  readonly claim: Claim | undefined;
}

export interface OpenChannel {
  readonly id: number;
  readonly workspaceId: number;
  readonly accountId: number;
  /** Has messages that may share a lease; has messages that must be alone in theirs. */
  readonly together: boolean;
  readonly alone: boolean;
}

export interface ClaimRequest {
  readonly owner: string;
  /** How much each channel may give, in this order. */
  readonly shares: readonly { readonly channelId: number; readonly limit: number }[];
  readonly alone: boolean;
}

/** A message in a worker's hands: what it takes to send it and to judge how that ended. */
export interface ClaimedMessage {
  readonly id: number;
  readonly workspaceId: number;
  readonly channelId: number;
  readonly lane: Lane;
  readonly action: Action;
  readonly idempotencyKey: string | null;
  readonly recipient: string;
  readonly sender: string;
  readonly expiresAt: number | null;
  readonly retryPolicy: string;
  readonly doubtPolicy: DoubtPolicy;
  readonly transactional: boolean;
  readonly threadId: string | null;
  readonly attempts: number;
  readonly doubts: number;
  readonly loneLosses: number;
  readonly leaseLosses: number;
  /** The Date of the first try that left no success; null before that. */
  readonly datedAt: number | null;
  readonly suppressed: boolean;
  readonly bytes: number;
  /**
   * Null if it is large: then it is fetched when its turn comes, so that a batch fits into memory. Let go of when
   * it is on its way: a thousand messages that wait for their gate should not keep it twice.
   */
  mail: string | null;
  /** When it was first meant to leave. */
  readonly scheduledFor: number;
}

export interface Claim {
  readonly lease: number;
  readonly claimedAt: number;
  readonly alone: boolean;
  /** Held by the caller of `outbox.send`, for a try of his own. */
  readonly inline: boolean;
  readonly messages: readonly ClaimedMessage[];
}

export interface LostClaim extends Claim {
  readonly handedAt: number | null;
  readonly messages: readonly (ClaimedMessage & { readonly handed: boolean; readonly withdrawn: boolean })[];
}

export interface GateEntry {
  readonly lease: number;
  readonly id: number;
  readonly workspaceId: number;
  readonly channelId: number;
  readonly recipient: string;
  readonly transactional: boolean;
  readonly expiresAt: number | null;
}

/** Why a message may not leave although a worker holds it. */
export type GateRefusal = 'lost' | 'cancelled' | 'suppressed' | 'expired' | 'paused';
export type GateAnswer =
  | { readonly passed: true; readonly handedAt: number }
  | { readonly passed: false; readonly refusal: GateRefusal };

export interface SettleEntry {
  readonly lease: number;
  readonly id: number;
  readonly workspaceId: number;
  readonly channelId: number;
  readonly expiresAt: number | null;
  readonly event: Event;
  /** The completed try to write into the history; undefined if none was made. */
  readonly attempt?: AttemptRecord | undefined;
  /** Completed tries after this one. */
  readonly attempts: number;
  /** For a message that goes back: how long from now; undefined: it keeps its place in the line. */
  readonly waitMs?: number | undefined;
  readonly reason?: string | undefined;
  readonly fingerprint?: string | undefined;
  /** The lease was lost: counted, and with `alone` counted towards poison. */
  readonly lost?: boolean | undefined;
  readonly alone?: boolean | undefined;
}

export interface AttemptRecord {
  readonly outcome: AttemptOutcome;
  readonly startedAt: number | null;
  readonly handedAt: number | null;
  readonly errorClass?: ErrorClass | undefined;
  readonly errorCode?: string | undefined;
  readonly error?: string | undefined;
  readonly providerMessageId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly worker: string;
}

/** Enough for a thread to open its own connection and renew by lease id. */
export type RenewalAccess =
  | { readonly dialect: 'postgres'; readonly url: string; readonly statement: string }
  | { readonly dialect: 'sqlite'; readonly path: string; readonly statement: string };

/** After so many lost leases a message is claimed alone. */
export const LOSSES_BEFORE_ALONE = 2;

/** Why a message ends that was cancelled in a worker's hands. */
export const WITHDRAWN = 'cancelled_by_person';

/** Contents up to this size come with the claim; larger ones when their turn comes. */
export const INLINE_CONTENT_BYTES = 64 * 1024;
