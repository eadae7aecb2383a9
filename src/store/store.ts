import type { Kysely } from '../vendor/kysely.js';
import type { Event } from '../core/lifecycle.js';
import type { Action, AttemptOutcome, DoubtPolicy, Lane } from '../core/message.js';
import type { ErrorClass, SendError } from '../core/report.js';
import type { Residence } from '../core/residence.js';
import type { MigrationReport } from './migrate.js';
import type { Migration } from './migrations/index.js';
import type { RelayMoves } from './relay-moves.js';
import type { Script, Scripted } from './script.js';
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
  /** Whether a connection pooler stands before the database, and if so whether there is a way past it. */
  readonly pooler: 'none' | 'passed' | 'in the way';

  /** Brings the schema up to date; another list than the program's own is for tests. */
  migrate(migrations?: readonly Migration[]): Promise<MigrationReport>;
  /** Where it lives: a copy of it lives somewhere else. */
  residence(): Promise<Residence>;
  /** The database's clock, virtual if so configured: what every instant shown to people is measured by. */
  now(): Promise<number>;
  /**
   * From here on `now` is this instant, for this object alone, and runs on like the real clock. For telling a past:
   * never beyond the real time, always forward, and while nobody else works on what is told.
   */
  setClock(now: number): Promise<void>;
  /** When a lease runs out by the time of day, for people: leases may run on a clock of their own. */
  timeOfDay(until: number): number;
  /** Runs a script that only reads. */
  read<T>(script: Script<T>): Promise<T>;
  /**
   * Runs a script that writes: all of it or nothing. Throws `store_unavailable` if it was nothing, `commit_unknown` if
   * nobody can say. Given a way to make the script, it is tried again after a deadlock.
   */
  transaction<T>(script: Scripted<T>): Promise<T>;
  /** The same, and what it deletes is overwritten where the database's files are ours (SQLite). */
  wipe<T>(script: Scripted<T>): Promise<T>;
  /**
   * What is gone goes also from what the database keeps for its own use (SQLite: its log, and the unused bytes of its
   * pages, for which a file of up to so many bytes is written anew; everybody waits meanwhile).
   */
  scrub(largestBytes: number): Promise<Scrubbed>;

  /**
   * Stores messages, each once per key. One answer a message, in the order given. Throws `store_unavailable` if
   * nothing was stored, `commit_unknown` if nobody can say.
   */
  enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]>;
  /** Stores messages in the caller's own hands, under one new lease: nobody else may send them before he is done. */
  enqueueLeased(messages: readonly NewMessage[], owner: string): Promise<LeasedEnqueue>;
  /** `enqueue` inside a caller's own transaction. */
  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]>;
  /** Whether the write lock that a caller's transaction holds at this moment is seen from here, as it must be. */
  seesWriteLock(): boolean;

  /** Which channels have something to do now. A blocked one is not among them and costs nothing. */
  openChannels(): Promise<readonly OpenChannel[]>;
  /** Takes due messages under a new lease. Undefined: there was nothing to take. */
  claim(request: ClaimRequest): Promise<Claim | undefined>;
  /** The hand-over gate: the durable mark, and the last look at lease, cancellation, suppression, pause, expiry. */
  gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]>;
  /** Writes results of any part of any lease. False: the lease was lost, and someone else decides. */
  settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]>;

  /** Which guarded channels may send now and have something to, and which must first be told when they may. */
  openGuarded(window?: GuardWindow): Promise<readonly GuardedChannel[]>;
  /** Takes due messages of guarded channels, as many as their hour, day and workspace have left, and reserves for them. */
  claimGuarded(request: ClaimRequest, window?: GuardWindow): Promise<Claim | undefined>;
  /** The gate of guarded mail: also the last look at window, quota and spacing. */
  gateGuarded(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]>;
  /** Results of guarded mail: also gives back what was reserved and not used, and says when the account is free again. */
  settleGuarded(entries: readonly SettleEntry[]): Promise<readonly boolean[]>;

  /** The gate of notifications: also the last look at the event and the subscription. */
  gateNotified(entries: readonly GateEntry[], guarded: boolean): Promise<readonly GateAnswer[]>;
  /** Results of notifications: also the history of the subscription, and what is left of its limit. */
  settleNotified(entries: readonly SettleEntry[], guarded: boolean): Promise<readonly boolean[]>;

  /** The moves of messages that are dispatched through a broker. */
  readonly relay: RelayMoves;

  /** Takes over leases that ran out, under new fences, with what is known of their messages. */
  takeOver(owner: string, limit: number): Promise<readonly LostClaim[]>;

  /** A script has put something due into this channel, and its transaction is committed. */
  wake(channelId: number): void;
  /** Tells when there may be something due in a channel; undefined: anywhere. */
  onWake(listen: (channelId: number | undefined) => void): void;
  /** Starts listening for wake-ups from other processes. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** `busy`: somebody was in the way; `left`: traces of it may still be found there. */
export type Scrubbed = 'clean' | 'busy' | 'left';

export interface NewMessage {
  readonly workspaceId: number;
  readonly channelId: number;
  readonly lane: Lane;
  readonly action: Action;
  readonly idempotencyKey: string | null;
  readonly bodyHash: string | null;
  /** As it was given; the store keeps its canonical form too. */
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
  /** The frozen mail as JSON; null: its front door makes it when it is sent. */
  readonly mail: string | null;
  /** Of a campaign's mail: whose it is, to whom, and which step of what. */
  readonly campaignId?: number | null;
  readonly contactId?: number | null;
  readonly sequenceId?: number | null;
  readonly sequenceVersion?: number | null;
  readonly stepNumber?: number | null;
  /** The end of its recipient's window, where that holds instead of its account's. */
  readonly closesAt?: number | null;
}

export interface Enqueued {
  readonly id: number;
  /** The key was known: nothing was stored, `id` is the first message's. */
  readonly duplicate: boolean;
  /** The content hash of the first message, to tell a repeated call from a reused key. */
  readonly bodyHash: string | null;
}

export interface LeasedEnqueue {
  readonly enqueued: readonly Enqueued[];
  /** What is new; undefined if nothing is. */
  readonly claim: Claim | undefined;
}

export interface OpenChannel {
  readonly id: number;
  readonly workspaceId: number;
  readonly accountId: number;
  readonly lane: Lane;
  /** Has messages that may share a lease; has messages that must be alone in theirs. */
  readonly together: boolean;
  readonly alone: boolean;
}

/** Whose window holds for guarded mail: its account's, unless told, or each recipient's own. */
export type GuardWindow = 'account' | 'recipient';

export interface GuardedChannel extends OpenChannel {
  /** Its opening is over: `rollOpenings` finds the next one. */
  readonly over: boolean;
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
  /** In its canonical form; of what was stored long ago, as it was given. */
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
  /** Of the stored content; 0: none is stored, and it is made when it is sent. */
  readonly bytes: number;
  /**
   * Null if it is large: then it is fetched when its turn comes, so that a batch fits into memory. Let go of when
   * it is on its way: a thousand messages that wait for their gate should not keep it twice.
   */
  mail: string | null;
  /** When it was first meant to leave. */
  readonly scheduledFor: number;
  /** It obeys window, quota and spacing of its account: another gate, another settlement. */
  readonly guarded: boolean;
  readonly campaignId: number | null;
  readonly contactId: number | null;
  readonly sequenceId: number | null;
  readonly sequenceVersion: number | null;
  readonly stepNumber: number | null;
  readonly closesAt: number | null;
  /** Of a notification: what it tells, and whom. */
  readonly eventId: number | null;
  readonly subscriptionId: number | null;
}

export interface Claim {
  readonly lease: number;
  readonly claimedAt: number;
  readonly alone: boolean;
  /** Taken by the caller of `outbox.send`, for a try of his own. */
  readonly inline: boolean;
  readonly messages: readonly ClaimedMessage[];
}

export interface LostClaim extends Claim {
  readonly handedAt: number | null;
  readonly messages: readonly (ClaimedMessage & { readonly handed: boolean; readonly withdrawn: boolean })[];
}

export interface GateEntry {
  readonly lease: number;
  readonly message: GatedMessage;
  /** The others of the envelope, in their canonical form; undefined: there are none. */
  readonly copies?: readonly string[] | undefined;
  /** Of a notification: when the window shuts in which its subscriber wants to be told. */
  readonly closesAt?: number | undefined;
}

/** What a gate looks at; the guard's also at campaign and person, that of notifications at event and subscription. */
export type GatedMessage = Pick<
  ClaimedMessage,
  | 'id'
  | 'workspaceId'
  | 'channelId'
  | 'lane'
  | 'recipient'
  | 'transactional'
  | 'expiresAt'
  | 'guarded'
  | 'campaignId'
  | 'contactId'
  | 'closesAt'
  | 'eventId'
  | 'subscriptionId'
>;

/** Why a message may not leave although a worker holds it. */
export type GateRefusal =
  | 'lost'
  | 'cancelled'
  | 'suppressed'
  | 'copy_suppressed'
  | 'expired'
  | 'paused'
  /** Guarded mail alone: its window is over, its day is used up, or it is not its turn. */
  | 'shut'
  /** A campaign's mail alone: its campaign or its person is paused, or has come to an end. */
  | 'halted'
  | 'ended'
  /** A notification alone: nobody is subscribed any more, or not at this time of the day. */
  | 'unsubscribed'
  | 'closed';
export type GateAnswer =
  | { readonly passed: true; readonly handedAt: number }
  /** `until`: from when on it could pass, by the database's clock, where that is known. */
  | {
      readonly passed: false;
      readonly refusal: GateRefusal;
      readonly until?: number | undefined;
      /** What ended it. */
      readonly reason?: string | undefined;
    };

export interface SettleEntry {
  readonly lease: number;
  readonly id: number;
  readonly workspaceId: number;
  readonly channelId: number;
  readonly event: Event;
  /** The completed try to write into the history; undefined if none was made. */
  readonly attempt?: AttemptRecord | undefined;
  /** Completed tries after this one. */
  readonly attempts: number;
  /** For a message that goes back: how long from now; undefined: it keeps its place in the line. */
  readonly waitMs?: number | undefined;
  readonly reason?: string | undefined;
  /** What a dead letter died of; with the transport that said so, the cause itself is noted too, once. */
  readonly fingerprint?: string | undefined;
  readonly transport?: string | undefined;
  /** What the message shows as its last error, where no try was made that could tell. */
  readonly lastError?: Pick<SendError, 'class' | 'code' | 'message'> | undefined;
  /** The lease was lost: counted, and with `alone` counted towards poison. */
  readonly lost?: boolean | undefined;
  readonly alone?: boolean | undefined;
  /** Of guarded mail, and only of it. */
  readonly guard?: GuardedEnd | undefined;
  /** Of a notification, and only of it. */
  readonly notification?: { readonly eventId: number; readonly subscriptionId: number } | undefined;
}

/** What is known of the end of guarded mail besides. */
export interface GuardedEnd {
  /** Its channel serves several. */
  readonly lane: Lane;
  /** From 0 to below 1: how far its account's rest goes between least and most spacing, if somebody is late already. */
  readonly draw: number;
  /** It goes back because its campaign or its person is paused: to wait there, unless that is over by now. */
  readonly halted?: boolean | undefined;
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
  | {
      readonly dialect: 'sqlite';
      readonly path: string;
      readonly statement: string;
      /** What makes the machine's steady clock the one that leases run on. */
      readonly clockOffsetMs: number;
    };

/** After so many lost leases a message is claimed alone. */
export const LOSSES_BEFORE_ALONE = 2;

/** Why a message ends that was cancelled in a worker's hands. */
export const WITHDRAWN = 'cancelled_by_person';

/** The fact that somebody passes dead letters on: without it they are only kept here. */
export const ANNOUNCED = 'announced';

/** Contents up to this size come with the claim; larger ones when their turn comes. */
export const INLINE_CONTENT_BYTES = 64 * 1024;
