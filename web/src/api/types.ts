/** What the HTTP API answers, as far as the pages use it. */

export const STATES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'retry_scheduled',
  'held',
  'dead',
  'skipped',
  'expired',
  'cancelled',
] as const;
export type State = (typeof STATES)[number];

export const LANES = ['outbox', 'campaign', 'notification'] as const;
export type Lane = (typeof LANES)[number];

export type Role = 'viewer' | 'operator' | 'admin';
export type Scope = 'send' | 'read' | 'operate' | 'admin';
export type Instant = string;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface Address {
  readonly email: string;
  readonly name?: string | null;
}

export interface Message {
  readonly id: string;
  /** Later ones have larger ones. */
  readonly number: number;
  readonly lane: Lane;
  readonly action: string;
  readonly accountId: string | null;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly subject: string | null;
  readonly state: State;
  readonly idempotencyKey: string | null;
  readonly scheduledFor: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly expiresAt: Instant | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly leaseLosses: number;
  readonly lastError: { readonly code: string; readonly message: string; readonly class: string } | null;
  readonly deadReason: string | null;
  /** Why it was skipped, held or cancelled, as a searchable word. */
  readonly reason: string | null;
  readonly messageId: string;
  readonly traceId: string | null;
  readonly lockedBy: string | null;
  readonly lockedUntil: Instant | null;
  readonly sentAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type AttemptOutcome = 'success' | 'failed' | 'rate_limited' | 'in_doubt';

export interface Attempt {
  readonly number: number;
  readonly startedAt: Instant | null;
  readonly handedOverAt: Instant | null;
  readonly finishedAt: Instant;
  readonly outcome: AttemptOutcome;
  readonly errorClass: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly providerMessageId: string | null;
  readonly workerId: string | null;
}

export interface MessageDetail extends Message {
  /** When the tries that are left would begin, the next one first. */
  readonly plannedAttempts: readonly Instant[];
  readonly inlineAttempt: Attempt | null;
  readonly attemptLog: readonly Attempt[];
}

export interface Explanation {
  readonly state: State;
  readonly reason: string;
  readonly until: Instant | null;
  readonly headline: string;
  readonly evidence: string | null;
  readonly sentence: string;
}

export interface Content {
  readonly id: string;
  readonly messageId: string;
  readonly from: Address | string;
  readonly to: Address | string;
  readonly cc: readonly (Address | string)[];
  readonly bcc: readonly (Address | string)[];
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly calendar: { readonly content: string; readonly method: string } | null;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly bytes: number;
  }[];
  readonly headers: Readonly<Record<string, string>>;
  /** So many things it would fetch from elsewhere if it could. */
  readonly remoteImages: number;
}

export interface BulkReport {
  readonly done: number;
  readonly conflicts: number;
  /** There is more that matches: ask again. */
  readonly more: boolean;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Instant;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly details: unknown;
}

export interface DeadGroup {
  readonly fingerprint: string;
  readonly transport: string | null;
  readonly class: string;
  readonly code: string;
  readonly sample: string;
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** In words, by the server. */
  readonly cause: string;
  readonly accounts: readonly string[];
  /** Deaths on each of the last seven days, today last. */
  readonly days: readonly number[];
  readonly outlook: 'over' | 'change' | 'untried';
  readonly sentence: string;
  readonly onRetry: string;
  readonly successesSince: number;
  readonly lastSuccessAt: Instant | null;
  readonly lastReply: string;
  readonly newest: readonly {
    readonly id: string;
    readonly to: { readonly email: string; readonly name: string | null };
    readonly subject: string;
    readonly diedAt: Instant;
  }[];
}

export interface DeadLetters extends Page<DeadGroup> {
  readonly summary: {
    readonly level: Level;
    readonly sentence: string;
    readonly evidence: string;
    readonly retryable: { readonly count: number; readonly fingerprints: readonly string[] };
  };
  readonly transports: readonly string[];
  readonly classes: readonly string[];
  readonly lastDismissedAt: Instant | null;
}

export type Level = 'fine' | 'look' | 'act';

export interface Need {
  readonly kind: string;
  readonly count: number;
  readonly sentence: string;
  /** What there is to decide, for the page where it is decided. */
  readonly advice?: string;
}

export interface AccountToday {
  readonly id: string;
  readonly name: string;
  readonly emailAddress: string | null;
  readonly type: string;
  /** How it sends: `smtp`, `gmail` … */
  readonly transport: string;
  readonly status: 'active' | 'paused';
  readonly pausedAt: Instant | null;
  readonly pauseReason: string | null;
  readonly cooldownUntil: Instant | null;
  readonly cooldownReason: string | null;
  readonly sentToday: number;
  readonly failedToday: number;
}

export interface Dashboard {
  readonly pendingEmailCount: number;
  readonly failedEmailCount: number;
  readonly heldEmailCount: number;
  readonly sentToday: number;
  readonly sentTodayByLane: Readonly<Record<Lane, number>>;
  readonly sendingNow: number;
  readonly oldestDueAgeSeconds: number;
  /** When the next of each may leave; null: nobody knows of one. */
  readonly next: { readonly retryAt: Instant | null; readonly scheduledAt: Instant | null };
  readonly oldestHeldAgeSeconds: number | null;
  readonly deadToday: number;
  /** What the development inbox holds; null: there is none. */
  readonly caught: number | null;
  /** Who runs; `senders` are those of them that send, the others relay to a broker. */
  readonly workers: { readonly alive: number; readonly senders: number };
  readonly states: Counts;
  readonly health: {
    readonly level: Level;
    readonly sentence: string;
    readonly evidence: string;
    readonly needs: readonly Need[];
  };
  readonly accounts: readonly AccountToday[];
  readonly series: Series;
}

/** How many left, and how many tries failed, in each stretch of time from `at` on. */
export type Series = readonly { readonly at: Instant; readonly sent: number; readonly failed: number }[];

/** How many messages are in each state. */
export type Counts = Readonly<Record<State, number>>;

export interface Me {
  readonly workspaceId: string;
  readonly scopes: readonly Scope[];
  readonly administersInstallation: boolean;
  readonly user: { readonly id: string; readonly email: string; readonly role: Role } | null;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly csrfToken: string;
  readonly installation: {
    readonly version: string;
    /** Nothing leaves this machine: what is shown was made up. */
    readonly demo: boolean;
    /** The built-in catcher runs, and this workspace may read what it took. */
    readonly inbox: boolean;
    readonly clock: { readonly now: Instant; readonly speed: number };
  };
}

export interface SendingWindow {
  readonly sendingDays: readonly number[];
  readonly startHour: number;
  readonly endHour: number;
  readonly timezone: string;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly type: 'email' | 'linkedin';
  readonly emailAddress: string | null;
  readonly displayName: string | null;
  /** Made and kept by the process, from its own settings. */
  readonly isDefault: boolean;
  readonly transport: { readonly kind: string; readonly [detail: string]: string };
  readonly dailyLimitEmails: number;
  readonly dailyLimitMessages: number;
  readonly dailyLimitConnections: number;
  readonly dailyLimitInmails: number;
  /** Null: the workspace's; so with the next three. */
  readonly window: SendingWindow | null;
  readonly rampUp: { readonly enabled: boolean; readonly start: number; readonly step: number } | null;
  readonly spacing: { readonly minSeconds: number; readonly maxSeconds: number } | null;
  readonly holidays: readonly string[] | null;
  readonly maxConnections: number;
  readonly status: 'active' | 'paused';
  readonly pauseReason: string | null;
  readonly cooldownUntil: Instant | null;
  readonly cooldownReason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface Caught {
  readonly id: string;
  /** Of the envelope; empty for a bounce. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly receivedAt: Instant;
  /** In bytes. */
  readonly size: number;
}

export interface CaughtPage extends Page<Caught> {
  /** How many are kept. */
  readonly total: number;
  readonly smtpUrl: string | null;
}

export interface CaughtMail extends Caught {
  readonly headers: readonly { readonly name: string; readonly value: string; readonly raw: string }[];
  readonly text?: string;
  readonly html?: string;
  readonly calendar?: { readonly method?: string; readonly content: string };
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly contentType: string;
    readonly size: number;
    readonly contentBase64: string;
  }[];
  /** How many it would have fetched from elsewhere. */
  readonly remoteImages: number;
}

export interface SendingSettings extends SendingWindow {
  readonly dailyQuota: number;
  readonly rampUpEnabled: boolean;
  readonly rampUp: { readonly start: number; readonly step: number };
  readonly spacing: { readonly minSeconds: number; readonly maxSeconds: number };
  readonly holidays: readonly string[];
}
