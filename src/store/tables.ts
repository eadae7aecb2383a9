import type { Generated } from '../vendor/kysely.js';
import type { Role } from '../core/access.js';
import type { WorkerKind } from '../core/crew.js';
import type { FinishedState } from '../core/lifecycle.js';
import type { Action, AttemptOutcome, DoubtPolicy, Lane } from '../core/message.js';
import type { ErrorClass } from '../core/report.js';

/** 0 or 1: the one boolean that both databases understand. */
export type Flag = 0 | 1;

/** Who and what. Never changes on the good path; the last block is written only when something went wrong. */
export interface MessagesTable {
  id: Generated<number>;
  workspace_id: number;
  channel_id: number;
  lane: Lane;
  action: Action;
  idempotency_key: string | null;
  body_hash: string | null;
  recipient: string;
  recipient_name: string | null;
  sender: string;
  subject: string | null;
  scheduled_for: number;
  expires_at: number | null;
  /** A policy's name, or a policy of its own as JSON. */
  retry_policy: string;
  doubt_policy: DoubtPolicy;
  transactional: Flag;
  trace_id: string | null;
  thread_id: string | null;
  created_at: number;
  attempts: Generated<number>;
  doubts: Generated<number>;
  lease_losses: Generated<number>;
  lone_losses: Generated<number>;
  dated_at: number | null;
  error_class: ErrorClass | null;
  error_code: string | null;
  error: string | null;
}

/** The frozen mail, apart from the message because it may be megabytes and is read once. */
export interface ContentsTable {
  message_id: number;
  bytes: number;
  mail: string;
}

/** A message that waits. */
export interface DueTable {
  message_id: number;
  workspace_id: number;
  channel_id: number;
  due_at: number;
  expires_at: number | null;
  queued_at: number | null;
  /** 1 after two lost leases: it is then claimed alone, so that its worker's death speaks of it. */
  alone: Generated<number>;
  /** 1 if a try has failed: it waits for the next one. */
  tried: Generated<number>;
}

/** Messages in flight: one row a claim. The id is the fence and is never used twice. */
export interface LeasesTable {
  id: Generated<number>;
  owner: string;
  /** Real time, as all leases. */
  until: number;
  claimed_at: number;
  handed_at: number | null;
  alone: Flag;
  /** 1: held by the caller of `outbox.send`, for a try of his own. */
  inline: Generated<number>;
  /** The lease that was lost and taken over, if any: attempts and late replies are known by it. */
  prior_id: number | null;
  ids: unknown;
  handed: unknown;
  withdrawn: unknown;
}

/** The append-only history, and the activity of an account. */
export interface AttemptsTable {
  message_id: number;
  lease_id: number;
  channel_id: number;
  claimed_at: number;
  started_at: number | null;
  handed_at: number | null;
  finished_at: number;
  outcome: AttemptOutcome;
  error_class: ErrorClass | null;
  error_code: string | null;
  error: string | null;
  provider_message_id: string | null;
  worker: string | null;
  inline: Generated<number>;
}

/** A message that is finished, or needs a person. */
export interface OutcomesTable {
  message_id: number;
  workspace_id: number;
  state: FinishedState;
  attempts: number;
  finished_at: number;
  reason: string | null;
  lease_id: number | null;
  fingerprint: string | null;
}

/** What may be blocked as one: an account, an action, and for unguarded mail a lane. */
export interface ChannelsTable {
  id: Generated<number>;
  workspace_id: number;
  account_id: number;
  action: Action;
  lane: Lane;
  blocked_until: Generated<number>;
  blocked_reason: string | null;
  paused_at: number | null;
}

export interface AccountsTable {
  id: Generated<number>;
  workspace_id: number;
  name: string;
  email_address: string;
  display_name: string | null;
  transport: string;
  paused_at: number | null;
  pause_reason: string | null;
  cooldown_until: Generated<number>;
  cooldown_reason: string | null;
  /** Cool-downs in a row; a success sets it back to 0. */
  cooldowns: Generated<number>;
  created_at: number;
  updated_at: number;
  type: Generated<'email' | 'linkedin'>;
  /** Limits, window, ramp-up and spacing as a person set them, as JSON. */
  sending: Generated<string>;
  removed_at: number | null;
}

export interface WorkspacesTable {
  id: Generated<number>;
  name: string;
  created_at: number;
}

export interface SuppressionsTable {
  workspace_id: number;
  address: string;
  reason: string;
  created_at: number;
}

export interface SoftBouncesTable {
  workspace_id: number;
  address: string;
  message_id: number;
  bounced_at: number;
}

/** One row a workspace, state and settled group; folded into `totals`, so that no counter row is fought over. */
export interface TalliesTable {
  minute: number;
  workspace_id: number;
  channel_id: Generated<number>;
  /** A state, what a try came to if it ended none, or `accepted`. */
  state: string;
  /** The cause, of what is dead. */
  fingerprint: string | null;
  /** Below zero: so many have left the state. */
  n: number;
}

/** How many messages there are: of each finished state, and `accepted` of all. What waits is the difference. */
export interface CountsTable {
  workspace_id: number;
  state: string;
  lane: Lane;
  /** Empty but for what is dead. */
  fingerprint: Generated<string>;
  n: number;
}

/** What happened lately, minute by minute. */
export interface MinutesTable {
  workspace_id: number;
  minute: number;
  channel_id: number;
  state: string;
  n: number;
}

export interface TotalsTable {
  workspace_id: number;
  hour: number;
  state: string;
  n: number;
}

/** When messages died of what, hour by hour: those that were retried since, too. */
export interface DeathsTable {
  workspace_id: number;
  fingerprint: string;
  hour: number;
  channel_id: number;
  n: number;
}

export interface DeadCausesTable {
  workspace_id: number;
  fingerprint: string;
  transport: string;
  class: ErrorClass;
  code: string;
  sample: string;
}

/** The anchors of virtual clocks, by the exact setting. */
export interface ClocksTable {
  setting: string;
  anchor_ms: number;
}

/** A mail that the built-in SMTP server took. */
export interface CaughtTable {
  id: Generated<number>;
  received_at: number;
  /** Empty for a bounce: the sender of the envelope, not of the head. */
  sender: string;
  /** Those that were accepted, as JSON. */
  recipients: string;
  subject: string;
  /** In bytes, as it came. */
  size: number;
  /** In base64. */
  raw: string;
}

export interface FactsTable {
  name: string;
  value: string;
}

export interface ApiKeysTable {
  id: Generated<number>;
  workspace_id: number;
  name: string;
  /** Separated by blanks. */
  scopes: string;
  hash: string;
  /** The first characters, by which a person knows it again. */
  hint: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface UsersTable {
  id: Generated<number>;
  email: string;
  /** Null: this person can't log in with a password. */
  password: string | null;
  created_at: number;
}

export interface MembershipsTable {
  workspace_id: number;
  user_id: number;
  role: Role;
}

/** Real time: a virtual clock must not end sessions. */
export interface SessionsTable {
  hash: string;
  user_id: number;
  created_at: number;
  seen_at: number;
}

export interface LoginFailuresTable {
  subject: string;
  failed_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  workspace_id: number;
  at: number;
  actor: string;
  action: string;
  target: string | null;
  /** JSON. */
  details: string | null;
}

export interface SettingsTable {
  workspace_id: number;
  name: string;
  /** JSON. */
  value: string;
}

/** A process that works. Real time: a virtual clock must not end it. */
export interface WorkersTable {
  name: string;
  kind: WorkerKind;
  host: string;
  version: string;
  started_at: number;
  seen_at: number;
}

export interface Tables {
  messages: MessagesTable;
  contents: ContentsTable;
  due: DueTable;
  leases: LeasesTable;
  attempts: AttemptsTable;
  outcomes: OutcomesTable;
  channels: ChannelsTable;
  accounts: AccountsTable;
  workspaces: WorkspacesTable;
  suppressions: SuppressionsTable;
  soft_bounces: SoftBouncesTable;
  tallies: TalliesTable;
  totals: TotalsTable;
  counts: CountsTable;
  minutes: MinutesTable;
  dead_causes: DeadCausesTable;
  deaths: DeathsTable;
  clocks: ClocksTable;
  facts: FactsTable;
  caught: CaughtTable;
  api_keys: ApiKeysTable;
  users: UsersTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  login_failures: LoginFailuresTable;
  audit: AuditTable;
  settings: SettingsTable;
  workers: WorkersTable;
}
