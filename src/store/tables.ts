import type { Generated } from '../vendor/kysely.js';
import type { Role } from '../core/access.js';
import type { CampaignState, EnrolmentState, PlanFault } from '../core/campaign.js';
import type { WorkerKind } from '../core/workers.js';
import type { ImportState } from '../core/import.js';
import type { FinishedState } from '../core/lifecycle.js';
import type { Action, AttemptOutcome, Lane } from '../core/message.js';
import type { ErrorClass } from '../core/report.js';
import type { SubscriptionStatus } from '../core/subscription.js';
import type { SuppressionReason } from '../core/suppression.js';
import type { COPIED_INTO_DUE, Flag, MessagesTable } from './message-columns.js';

/** The frozen mail, apart from the message because it may be megabytes and is read once. */
export interface ContentsTable {
  message_id: number;
  bytes: number;
  mail: string;
}

/** A message that waits. */
export interface DueTable extends Pick<MessagesTable, (typeof COPIED_INTO_DUE)[number]> {
  message_id: number;
  due_at: number;
  queued_at: number | null;
  /** The line it stands in: `core/lines.ts`. */
  alone: Generated<number>;
  /** 1 if a try has failed: it waits for the next one. */
  tried: Generated<number>;
}

/** Messages in flight: one row a claim. The id is the fence and is never used twice. */
export interface LeasesTable {
  id: Generated<number>;
  owner: string;
  /** By the database's clock, real and never virtual; on SQLite by the machine's steady one. */
  until: number;
  claimed_at: number;
  handed_at: number | null;
  alone: Flag;
  /** 1: taken by the caller of `outbox.send`, for a try of his own. */
  inline: Generated<number>;
  /** The first lease of this claim, if it was lost and taken over since: attempts and outcomes are known by it. */
  prior_id: number | null;
  ids: unknown;
  handed: unknown;
  withdrawn: unknown;
}

/** The append-only history, and the activity of an account. */
export interface AttemptsTable {
  message_id: number;
  /** The first of its claim, also if that was lost and another one settled it. */
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
  /** As in `attempts`. */
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
  /** 1: only the guard's statements take its messages, of whatever lane; for all others it is blocked for good. */
  guarded: Generated<Flag>;
}

/** A guarded account: its lock, and what all its actions share. */
export interface GuardsTable {
  account_id: number;
  workspace_id: number;
  spacing_ms: Generated<number>;
  spacing_max_ms: Generated<number>;
  /** Nothing of it may be claimed before. */
  free_at: Generated<number>;
  /** With spacing: the message that was claimed and is not settled. */
  holder: number | null;
}

/** When a guarded channel may send: the stretch that holds, or the next one. Written when one is over, or rules change. */
export interface OpeningsTable {
  channel_id: number;
  account_id: number;
  workspace_id: number;
  action: Action;
  /** Local dates of the account and of the workspace. */
  day: Generated<string>;
  total_day: Generated<string>;
  /** How much of its day's row may be used; weeks and months are counted in. */
  quota: Generated<number>;
  /** 0, or when the limited hour began; and how much of it may be used. */
  hour: Generated<number>;
  hour_quota: Generated<number>;
  opens_at: Generated<number>;
  /** 0: the rules have changed, look again. */
  open_until: Generated<number>;
}

/** What an account has used of a local day. `used` is what is reserved, sent or in doubt. */
export interface AccountDaysTable {
  account_id: number;
  action: Action;
  day: string;
  used: Generated<number>;
  sent: Generated<number>;
  in_doubt: Generated<number>;
  /** The last hour that was limited, and what it has used. */
  hour: Generated<number>;
  hour_used: Generated<number>;
}

export interface WorkspaceDaysTable {
  workspace_id: number;
  day: string;
  quota: Generated<number>;
  used: Generated<number>;
}

/** The place of one message in its account's and its workspace's day, from its claim to its settlement. */
export interface ReservationsTable {
  message_id: number;
  account_id: number;
  action: Action;
  day: string;
  hour: number;
  workspace_id: number;
  total_day: string;
  reserved_at: number;
  /** 1: it is held, and its day counts it among what is in doubt. */
  doubted: Generated<Flag>;
}

/** Bounces and complaints that an account has caused. */
export interface AccountHarmTable {
  account_id: number;
  message_id: number;
  kind: 'bounce' | 'complaint';
  at: number;
}

/** What people are written to, step by step. */
export interface SequencesTable {
  id: Generated<number>;
  workspace_id: number;
  name: string;
  /** The newest. */
  version: number;
  created_at: number;
  updated_at: number;
}

export interface SequenceVersionsTable {
  sequence_id: number;
  version: number;
  /** JSON. */
  steps: string;
  created_at: number;
}

/** What notifications say, version by version. */
export interface TemplateVersionsTable {
  id: Generated<number>;
  workspace_id: number;
  template_id: string;
  version: string;
  /** Null: who has another locale than its texts gets no mail. */
  fallback_locale: string | null;
  created_at: number;
}

/** One text of a version. */
export interface TemplatesTable {
  version_id: number;
  locale: string;
  subject: string;
  html: string | null;
  text: string | null;
  /** What the html was made of. */
  mjml: string | null;
  /** JSON: what it reads. */
  variables: string;
  /** Of what it says: who has read it knows by this whether it still holds. */
  hash: string;
  /** Before the first mail left with it; from then on it never changes. */
  used_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface CampaignsTable {
  id: Generated<number>;
  workspace_id: number;
  name: string;
  state: CampaignState;
  sequence_id: number | null;
  /** Since its launch. */
  sequence_version: number | null;
  /** JSON: numbers, in the order in which people are dealt to them. */
  account_ids: string;
  /** JSON. */
  terms: Generated<string>;
  stop_on_reply: Generated<Flag>;
  seed: number;
  /** How many positions were given, and up to which all are planned. */
  enrolled: Generated<number>;
  planned_through: Generated<number>;
  /** How often it was said that some who were halted may go on, and want new times. */
  replan: Generated<number>;
  /** Why planning has stopped, where it can't go on by itself. */
  plan_fault: PlanFault | null;
  launched_at: number | null;
  /** When the last message was planned for, as it was first planned. */
  launched_ends_at: number | null;
  paused_at: number | null;
  pause_reason: string | null;
  finished_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A person in a campaign. */
export interface EnrolmentsTable {
  campaign_id: number;
  contact_id: number;
  workspace_id: number;
  /** Null: only what was made for this person leaves. */
  position: number | null;
  state: EnrolmentState;
  reason: string | null;
  /** Of a pause that ends by itself. */
  resume_at: number | null;
  replied_at: number | null;
  /** When a connection request was accepted. */
  accepted_at: number | null;
  enrolled_at: number;
  changed_at: number;
}

export interface PlannersTable {
  workspace_id: number;
  campaign_id: number;
  owner: string;
  until: number;
}

export interface CampaignDaysTable {
  campaign_id: number;
  account_id: number;
  action: Action;
  day: string;
  launched: Generated<number>;
  sent: Generated<number>;
}

export interface ReadyMessagesTable {
  id: Generated<number>;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  action: Action;
  idempotency_key: string;
  body_hash: string;
  subject: string | null;
  mail: string;
  created_at: number;
}

/** Somebody who wants to be told of a topic. */
export interface SubscriptionsTable {
  id: Generated<number>;
  workspace_id: number;
  topic: string;
  contact_type: string;
  /** In its canonical form; and as it was given, where that is another spelling. */
  contact: string;
  contact_given: string | null;
  name: string | null;
  locale: string | null;
  timezone: string | null;
  status: SubscriptionStatus;
  /** JSON: values of an event's `payload.statusAfter`. */
  notify_on: string | null;
  max_notifications: number | null;
  /** Its messages that did not end dead, expired, skipped or cancelled; kept for those with a limit. */
  notified: Generated<number>;
  /** Since when there is a limit: what is older was not counted. */
  limited_at: number | null;
  /** Minutes of the local day; a start behind the end spans midnight. */
  window_start: number | null;
  window_end: number | null;
  snooze_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface SubscriptionEventsTable {
  id: Generated<number>;
  subscription_id: number;
  at: number;
  kind: string;
  /** Who did it; null: the engine. */
  actor: string | null;
  event_id: number | null;
  message_id: number | null;
  /** JSON: what changed, the state as it was told, or why nobody was told. */
  details: string | null;
  /** Of what happens again and again and is one line: how often, and when last; null: once. */
  times: number | null;
  last_at: number | null;
}

/** What happened. Only `cancelled_at` and `cancelled_by` ever change. */
export interface EventsTable {
  id: Generated<number>;
  workspace_id: number;
  type: string;
  topic: string;
  dedupe_key: string | null;
  trace_id: string | null;
  template_id: string;
  /** Null: there was no such template when it was published. */
  template_version: string | null;
  /** JSON. */
  payload: string;
  /** JSON: what the histories of subscriptions keep of it. */
  snapshot: string | null;
  status_after: string | null;
  event_at: number;
  expires_at: number | null;
  created_at: number;
  cancelled_at: number | null;
  cancelled_by: string | null;
  /** Null: by a version that did not note it. */
  published_by: string | null;
  /** When it was last published again under its key, which told nobody. */
  repeated_at: Generated<number | null>;
}

export interface DedupeWindowsTable {
  workspace_id: number;
  dedupe_key: string;
  opened_at: number;
  event_id: number;
}

/** How far an event is told. */
export interface FanOutsTable {
  event_id: number;
  workspace_id: number;
  topic: string;
  /** The walk goes on behind this subscription, and ends with that one. */
  after_id: Generated<number>;
  until_id: number;
  done: Generated<Flag>;
  turn: Generated<number>;
  /** Active subscriptions when it was published; how many of them were passed; how many messages that made. */
  matched: Generated<number>;
  seen: Generated<number>;
  made: Generated<number>;
  /** JSON: how many were left out for which preference. */
  skips: Generated<string>;
  /** What its messages have in common. */
  channel_id: number;
  sender: string;
  retry_policy: string;
  doubt_policy: string;
}

export interface FanOutTurnsTable {
  workspace_id: number;
  turn: Generated<number>;
}

/** How many messages of an event are in which state, and why. */
export interface EventCountsTable {
  event_id: number;
  state: string;
  reason: Generated<string>;
  n: number;
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
  /** How it signs its mail, as JSON, the key sealed. Null: it does not. */
  dkim: Generated<string | null>;
}

export interface WorkspacesTable {
  id: Generated<number>;
  name: string;
  created_at: number;
}

export interface SuppressionsTable {
  workspace_id: number;
  /** In its canonical form. */
  address: string;
  reason: SuppressionReason;
  created_at: number;
  /** Separated by blanks; null: all of them. */
  lanes: string | null;
  message_id: number | null;
  /** What was said, and who did it; what the product does by itself has nobody. */
  note: string | null;
  actor: string | null;
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
  /** Null: its channel's. */
  lane: Lane | null;
  /** Of notifications alone, and why they are in that state. */
  event_id: number | null;
  reason: string | null;
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
  /** Since when no dead letter has it, as far as the sweeper has seen. */
  idle_since: number | null;
}

/** Messages that retention has walked past and must look at again. */
export interface StragglersTable {
  message_id: number;
  workspace_id: number;
  look_at: number;
  /** See `ERASE`. */
  erase: Generated<number>;
}

/** Who must not be written to and was erased: a keyed hash of the address, and why. */
export interface ErasedTable {
  workspace_id: number;
  hash: string;
  reason: string;
  /** As in `suppressions`. */
  lanes: string | null;
  created_at: number;
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
  /** Null: until it is revoked. */
  expires_at: number | null;
}

export interface UsersTable {
  id: Generated<number>;
  email: string;
  /** Null: this person can't log in with a password. */
  password: string | null;
  /** The same once more, if this person chose it himself. Otherwise null, or one of before. */
  own_password: string | null;
  /** The same once more, if an administrator of the installation gave it, or the way to it. */
  vouched_password: string | null;
  created_at: number;
}

/** The way in of somebody who has no password yet. Real time, as sessions. */
export interface InvitationsTable {
  user_id: number;
  hash: string;
  /** Whose administrator vouches for whoever comes in: the first workspace's for the whole installation. */
  workspace_id: number;
  /** Null: a key made it. */
  made_by: number | null;
  created_at: number;
  expires_at: number;
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
  /** What it said of itself: sends at once, done in the last minute, results that came too late; null: nothing. */
  places: number | null;
  last_minute: number | null;
  leases_lost: number | null;
  /** Of a relay: how long the broker took to confirm. */
  confirm_ms: number | null;
}

/** What went through the broker in one minute of real time. */
export interface RelayMinutesTable {
  minute: number;
  /** The most that was with the broker at once. */
  queued: number;
  published: number;
  again: number;
  returned: number;
  dropped: number;
  /** 1: a relay could not reach it. */
  away: Flag;
}

/** A dead letter that the broker was told of; the last few. */
export interface AnnouncedTable {
  message_id: number;
  told_at: number;
}

/** Somebody who may be written to. */
export interface ContactsTable {
  id: Generated<number>;
  workspace_id: number;
  /** In its canonical form. */
  email: string | null;
  /** As it was spelled, where that is something else. */
  email_given: string | null;
  name: string | null;
  linkedin_id: string | null;
  timezone: string | null;
  /** JSON: an object of texts, numbers and booleans. */
  attributes: Generated<string>;
  /** The last import that named him, and in which line. */
  import_id: number | null;
  import_line: number | null;
  /** What that line did, in words. */
  import_did: string | null;
  created_at: number;
  updated_at: number;
}

/** By what contacts are found, beside the beginning of their address. */
export interface ContactWordsTable {
  workspace_id: number;
  word: string;
  contact_id: number;
}

export interface ImportsTable {
  id: Generated<number>;
  workspace_id: number;
  state: ImportState;
  file_name: string | null;
  bytes: number;
  encoding: string;
  separator: string;
  /** JSON: the columns of the file, with samples. */
  columns: string;
  /** JSON: what each column becomes; null: not chosen yet. */
  mapping: string | null;
  /** Records of the file, and how many of them are done. */
  lines: Generated<number>;
  done: Generated<number>;
  pieces: Generated<number>;
  /** The piece that is next. */
  next_piece: Generated<number>;
  imported: Generated<number>;
  updated: Generated<number>;
  rejected: Generated<number>;
  suppressed: Generated<number>;
  /** JSON: how many were left out for which reason. */
  reasons: Generated<string>;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  touched_at: number;
  /** What its people are put into; null: nothing. */
  campaign_id: Generated<number | null>;
  /** How many were put into it, and how many could not be because it takes nobody any more. */
  enrolled: Generated<number>;
  not_enrolled: Generated<number>;
}

/** Records of a file that have not been imported yet. */
export interface ImportPiecesTable {
  import_id: number;
  number: number;
  /** JSON. */
  records: string;
  /** How often somebody was taken out of it. */
  edits: Generated<number>;
}

/** Lines that were left out, and why. */
export interface ImportRejectsTable {
  import_id: number;
  line: number;
  code: string;
  reason: string;
  /** JSON: what stands there. */
  cells: string;
}

/** What came back for messages, each once. */
export interface InboundTable {
  workspace_id: number;
  /** A hash of what it was called. */
  key: string;
  kind: string;
  message_id: number | null;
  at: number;
}

/** A dead letter that a broker is to be told of. */
export interface AnnouncementsTable {
  id: Generated<number>;
  message_id: number;
  dead_reason: string | null;
  error_class: ErrorClass | null;
  error_code: string | null;
  error: string | null;
  died_at: number;
  /** Real time: until then a relay has it in hand. */
  taken_until: Generated<number>;
}

export interface Tables {
  messages: MessagesTable;
  contents: ContentsTable;
  due: DueTable;
  leases: LeasesTable;
  attempts: AttemptsTable;
  outcomes: OutcomesTable;
  channels: ChannelsTable;
  guards: GuardsTable;
  openings: OpeningsTable;
  /** The same for mail that leaves in its recipient's window: the account's whole day. */
  own_openings: OpeningsTable;
  account_days: AccountDaysTable;
  workspace_days: WorkspaceDaysTable;
  reservations: ReservationsTable;
  account_harm: AccountHarmTable;
  sequences: SequencesTable;
  sequence_versions: SequenceVersionsTable;
  template_versions: TemplateVersionsTable;
  templates: TemplatesTable;
  campaigns: CampaignsTable;
  enrolments: EnrolmentsTable;
  planners: PlannersTable;
  campaign_days: CampaignDaysTable;
  ready_messages: ReadyMessagesTable;
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
  invitations: InvitationsTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  login_failures: LoginFailuresTable;
  audit: AuditTable;
  settings: SettingsTable;
  workers: WorkersTable;
  stragglers: StragglersTable;
  erased: ErasedTable;
  contacts: ContactsTable;
  contact_words: ContactWordsTable;
  imports: ImportsTable;
  import_pieces: ImportPiecesTable;
  import_rejects: ImportRejectsTable;
  inbound: InboundTable;
  announcements: AnnouncementsTable;
  announced: AnnouncedTable;
  relay_minutes: RelayMinutesTable;
  subscriptions: SubscriptionsTable;
  subscription_events: SubscriptionEventsTable;
  events: EventsTable;
  dedupe_windows: DedupeWindowsTable;
  fan_outs: FanOutsTable;
  fan_out_turns: FanOutTurnsTable;
  event_counts: EventCountsTable;
}
