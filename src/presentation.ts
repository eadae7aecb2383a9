import type { OwnSession } from './access/own-sessions.js';
import type { AccountView } from './account-view.js';
import type { AccountsStanding } from './accounts-standing.js';
import type { Caught } from './catcher/inbox.js';
import type { MailParts } from './catcher/mail-parts.js';
import type { Explanation } from './core/explain.js';
import type { Mail } from './core/mail.js';
import { formatId } from './core/ids.js';
import type { Attempt, Message } from './core/message.js';
import type { Account } from './store/scripts/accounts.js';
import type { Activity } from './store/scripts/activity.js';
import type { Dashboard } from './dashboard.js';
import type { ApiKey } from './store/scripts/api-keys.js';
import type { AuditEntry } from './store/scripts/audit.js';
import type { DeadLetters, JudgedGroup } from './dead-letters.js';
import type { CaughtMail } from './store/scripts/caught.js';
import type { Member } from './store/scripts/users.js';
import type { WorkspaceRow } from './store/scripts/workspaces.js';

/** What leaves this program as JSON: camelCase, instants as ISO 8601 in UTC. One shape for the CLI and HTTP. */

const iso = (instant: number): string => new Date(instant).toISOString();
export const presentInstant = (instant: number | null): string | null =>
  instant === null ? null : iso(instant);

export const presentMessage = (message: Message) => ({
  ...message,
  scheduledFor: iso(message.scheduledFor),
  nextAttemptAt: presentInstant(message.nextAttemptAt),
  expiresAt: presentInstant(message.expiresAt),
  lockedUntil: presentInstant(message.lockedUntil),
  sentAt: presentInstant(message.sentAt),
  createdAt: iso(message.createdAt),
  updatedAt: iso(message.updatedAt),
});

export const presentAttempt = (attempt: Attempt) => ({
  ...attempt,
  startedAt: presentInstant(attempt.startedAt),
  handedOverAt: presentInstant(attempt.handedOverAt),
  finishedAt: iso(attempt.finishedAt),
});

/** With the caller's own try, which counts as none, and the engine's. */
export const presentMessageWithTries = (
  message: Message,
  inline: Attempt | null,
  attempts: readonly Attempt[],
  planned: readonly number[],
) => ({
  ...presentMessage(message),
  plannedAttempts: planned.map(iso),
  inlineAttempt: inline && presentAttempt(inline),
  attemptLog: attempts.map(presentAttempt),
});

export const presentExplanation = (explanation: Explanation) => ({
  ...explanation,
  until: presentInstant(explanation.until),
});

const presentJudgedGroup = ({ newest, ...group }: JudgedGroup) => ({
  ...group,
  firstAt: iso(group.firstAt),
  lastAt: iso(group.lastAt),
  lastSuccessAt: presentInstant(group.lastSuccessAt),
  newest: newest.map(({ id, recipient, recipientName, subject, finishedAt }) => ({
    id: formatId('message', id),
    to: { email: recipient, name: recipientName },
    subject: subject ?? '',
    diedAt: iso(finishedAt),
  })),
});

export const presentDeadLetters = ({ groups, lastDismissedAt, ...rest }: DeadLetters) => ({
  items: groups.map(presentJudgedGroup),
  nextCursor: null,
  ...rest,
  lastDismissedAt: presentInstant(lastDismissedAt),
});

export const presentWorkspace = ({ id, name, createdAt }: WorkspaceRow) => ({
  id: formatId('workspace', id),
  name,
  createdAt: iso(createdAt),
});

export const presentMember = ({ id, email, role, createdAt }: Member, workspaceId: number) => ({
  id: formatId('user', id),
  email,
  role,
  workspaceId: formatId('workspace', workspaceId),
  createdAt: iso(createdAt),
});

export const presentKey = ({ id, workspaceId, name, scopes, hint, createdAt, lastUsedAt }: ApiKey) => ({
  id: formatId('key', id),
  workspaceId: formatId('workspace', workspaceId),
  name,
  scopes,
  hint,
  createdAt: iso(createdAt),
  lastUsedAt: presentInstant(lastUsedAt),
});

export const presentOwnSession = ({ id, createdAt, seenAt, current }: OwnSession) => ({
  id,
  createdAt: iso(createdAt),
  lastSeenAt: iso(seenAt),
  current,
});

export const presentAuditEntry = ({ id, at, ...entry }: AuditEntry) => ({
  id: formatId('audit', id),
  at: iso(at),
  ...entry,
});

export const presentAccount = (account: AccountView) => ({
  ...account,
  cooldownUntil: presentInstant(account.cooldownUntil),
  createdAt: iso(account.createdAt),
  updatedAt: iso(account.updatedAt),
});

export const presentAccountsStanding = ({ items, ...verdict }: AccountsStanding) => ({
  ...verdict,
  items: items.map(({ id, lastTry, ...standing }) => ({
    id: formatId('account', id),
    ...standing,
    lastTry: lastTry && { ...lastTry, at: iso(lastTry.at) },
  })),
});

export const presentActivity = (activity: Activity) => ({
  message: {
    id: formatId('message', activity.messageId),
    lane: activity.lane,
    action: activity.action,
    to: { email: activity.recipient, name: activity.recipientName },
    subject: activity.subject,
  },
  inline: activity.inline === 1,
  startedAt: presentInstant(activity.startedAt),
  handedOverAt: presentInstant(activity.handedAt),
  finishedAt: iso(activity.finishedAt),
  outcome: activity.outcome,
  errorClass: activity.errorClass,
  errorCode: activity.errorCode,
  errorMessage: activity.error,
  providerMessageId: activity.providerMessageId,
  workerId: activity.worker,
});

export const presentCaught = <Mail extends Caught>(mail: Mail) => ({
  ...mail,
  receivedAt: iso(mail.receivedAt),
});

/** Its parts without its bytes; what is attached is in base64. */
export const presentCaughtMail = (mail: Caught<CaughtMail> & MailParts) => ({
  ...presentCaught(mail),
  raw: undefined,
  attachments: mail.attachments.map(({ content, ...file }) => ({
    ...file,
    contentBase64: content.toString('base64'),
  })),
});

/** A mail in its parts, for a preview: what is attached is named, not shown. */
export const presentContent = (message: Message, mail: Mail) => ({
  id: message.id,
  messageId: message.messageId,
  from: mail.from,
  to: mail.to,
  cc: mail.cc ?? [],
  bcc: mail.bcc ?? [],
  replyTo: mail.replyTo ?? null,
  subject: mail.subject,
  text: mail.text ?? null,
  html: mail.html ?? null,
  calendar: mail.ics ?? null,
  attachments: (mail.attachments ?? []).map(({ filename, contentType, contentBase64, contentId }) => ({
    filename,
    contentType,
    contentId: contentId ?? null,
    bytes: Buffer.byteLength(contentBase64, 'base64'),
  })),
  headers: mail.headers ?? {},
});

const FAILED: readonly string[] = ['dead', 'held'];

/** One row of the queue as the admin page lists it. */
export const presentOutboxRow = (message: Message) => ({
  id: message.id,
  toAddress: message.to.email,
  subject: message.subject,
  status: FAILED.includes(message.state) ? 'failed' : 'pending',
  state: message.state,
  lane: message.lane,
  attempts: message.attempts,
  maxAttempts: message.maxAttempts,
  nextRetryAt: presentInstant(message.nextAttemptAt),
  lastError: message.lastError && `${message.lastError.code} ${message.lastError.message}`.trim(),
  createdAt: iso(message.createdAt),
});

/** What the database alone does not know. */
interface Surroundings {
  readonly transportKindOf: (account: Account) => string;
  /** How many mails the development inbox holds; null: there is none to look into. */
  readonly caught: number | null;
}

export const presentDashboard = (dashboard: Dashboard, { transportKindOf, caught }: Surroundings) => ({
  pendingEmailCount: dashboard.pending,
  failedEmailCount: dashboard.states.dead,
  heldEmailCount: dashboard.states.held,
  sentToday: dashboard.sentToday,
  sentTodayByLane: dashboard.sentTodayByLane,
  sendingNow: dashboard.states.sending,
  oldestDueAgeSeconds: (dashboard.oldestDueMs ?? 0) / 1_000,
  next: {
    retryAt: presentInstant(dashboard.next.retryAt),
    scheduledAt: presentInstant(dashboard.next.scheduledAt),
  },
  oldestHeldAgeSeconds: dashboard.oldestHeldMs === null ? null : dashboard.oldestHeldMs / 1_000,
  deadToday: dashboard.deadToday,
  caught,
  states: dashboard.states,
  health: dashboard.health,
  workers: {
    alive: dashboard.crew.alive,
    senders: dashboard.crew.senders,
    oldestSeenSeconds: dashboard.crew.oldestSeenMs === null ? null : dashboard.crew.oldestSeenMs / 1_000,
    items: dashboard.crew.items.map(({ seenAt, ...worker }) => ({ ...worker, seenAt: iso(seenAt) })),
  },
  accounts: dashboard.accounts.map(({ account, sentToday, failedToday }) => ({
    id: formatId('account', account.id),
    name: account.name,
    emailAddress: account.emailAddress,
    type: account.type,
    transport: transportKindOf(account),
    status: account.pausedAt === null ? 'active' : 'paused',
    pausedAt: presentInstant(account.pausedAt),
    pauseReason: account.pauseReason,
    cooldownUntil: account.cooldownUntil > dashboard.now ? iso(account.cooldownUntil) : null,
    cooldownReason: account.cooldownUntil > dashboard.now ? account.cooldownReason : null,
    sentToday,
    failedToday,
  })),
  series: dashboard.series.map(({ at, ...counts }) => ({ at: iso(at), ...counts })),
});
