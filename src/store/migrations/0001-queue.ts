import { randomBytes } from 'node:crypto';
import { oneOf, type DefinitionDialect } from './dialect.js';

// As they were when this was released. What is added later needs a migration, not another past.
const ACTIONS = ['email', 'message', 'connection_request', 'inmail'];
const LANES = ['outbox', 'campaign', 'notification'];
const DOUBT_POLICIES = ['hold', 'resend', 'assume_sent'];
const ATTEMPT_OUTCOMES = ['success', 'failed', 'rate_limited', 'in_doubt'];
const FINISHED_STATES = ['sent', 'held', 'dead', 'skipped', 'expired', 'cancelled'];

/** The queue: the state of a message is the place where it is. Why, and what was measured: docs/decisions/0001. */
export function queue(d: DefinitionDialect): string[] {
  const { at, integer, bigint } = d;
  // An index lives in its table's schema, so PostgreSQL wants its name bare.
  const index = (name: string, definition: string) => {
    const [table = '', columns = ''] = definition.split(/ (.*)/s);
    return `create index ${name} on ${at(table)} ${columns}`;
  };
  // Emptied all the time: vacuum by a fixed number of dead rows, not by a share of a table that is now and then huge.
  const busy = (threshold: number) =>
    `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = ${String(threshold)}, autovacuum_vacuum_cost_delay = 0`;

  return [
    `create table ${at('facts')} (name text primary key, value text not null)`,
    // Part of every Message-ID, so that two installations that send for one domain never make the same one.
    `insert into ${at('facts')} (name, value) values ('installation', '${randomBytes(5).toString('hex')}')`,
    `create table ${at('clocks')} (setting text primary key, anchor_ms ${bigint} not null)`,

    `create table ${at('workspaces')} (id ${d.identity}, name text not null unique, created_at ${bigint} not null)`,
    `create table ${at('accounts')} (
      id ${d.identity}, workspace_id ${integer} not null, name text not null, email_address text not null,
      display_name text, transport text not null,
      paused_at ${bigint}, pause_reason text,
      cooldown_until ${bigint} not null default 0, cooldown_reason text, cooldowns ${integer} not null default 0,
      created_at ${bigint} not null, updated_at ${bigint} not null, unique (workspace_id, name))`,
    `create table ${at('channels')} (
      id ${d.identity}, workspace_id ${integer} not null, account_id ${integer} not null,
      action text not null ${oneOf('action', ACTIONS)}, lane text not null ${oneOf('lane', LANES)},
      blocked_until ${bigint} not null default 0, blocked_reason text, paused_at ${bigint},
      unique (account_id, action, lane))${d.storage('fillfactor = 50')}`,

    `create table ${at('messages')} (
      id ${d.identity}, workspace_id ${integer} not null, channel_id ${integer} not null,
      lane text not null ${oneOf('lane', LANES)}, action text not null,
      idempotency_key text, body_hash text,
      recipient text not null, recipient_name text, sender text not null, subject text,
      scheduled_for ${bigint} not null, expires_at ${bigint},
      retry_policy text not null, doubt_policy text not null ${oneOf('doubt_policy', DOUBT_POLICIES)},
      transactional ${integer} not null, trace_id text, thread_id text, created_at ${bigint} not null,
      attempts ${integer} not null default 0, doubts ${integer} not null default 0,
      lease_losses ${integer} not null default 0, lone_losses ${integer} not null default 0,
      dated_at ${bigint}, error_class text, error_code text, error text)${d.storage('fillfactor = 90')}`,
    `create unique index messages_key on ${at('messages')} (workspace_id, lane, idempotency_key) where idempotency_key is not null`,
    index('messages_list', 'messages (workspace_id, id)'),
    index('messages_recipient', 'messages (workspace_id, recipient, id)'),
    `create table ${at('contents')} (message_id ${bigint} primary key, bytes ${integer} not null, mail text not null)`,

    `create table ${at('due')} (
      message_id ${bigint} primary key, workspace_id ${integer} not null, channel_id ${integer} not null,
      due_at ${bigint} not null, expires_at ${bigint}, queued_at ${bigint},
      alone ${integer} not null default 0)${d.storage(busy(10_000))}`,
    index('due_claim', 'due (channel_id, alone, due_at, message_id)'),
    index('due_list', 'due (workspace_id, message_id)'),
    index('due_expiry', 'due (expires_at) where expires_at is not null'),
    `create table ${at('leases')} (
      id ${d.identity}, owner text not null, until ${bigint} not null, claimed_at ${bigint} not null,
      handed_at ${bigint}, alone ${integer} not null, prior_id ${bigint},
      ids ${d.idList} not null, handed ${d.idList} not null default ${d.emptyIdList},
      withdrawn ${d.idList} not null default ${d.emptyIdList})${d.storage(`fillfactor = 20, ${busy(1_000)}`)}`,
    `create table ${at('attempts')} (
      message_id ${bigint} not null, lease_id ${bigint} not null, channel_id ${integer} not null,
      claimed_at ${bigint} not null, started_at ${bigint}, handed_at ${bigint}, finished_at ${bigint} not null,
      outcome text not null ${oneOf('outcome', ATTEMPT_OUTCOMES)},
      error_class text, error_code text, error text, provider_message_id text, worker text,
      primary key (message_id, lease_id))${d.withoutRowid}`,
    index('attempts_activity', 'attempts (channel_id, finished_at)'),
    `create table ${at('outcomes')} (
      message_id ${bigint} primary key, workspace_id ${integer} not null,
      state text not null ${oneOf('state', FINISHED_STATES)}, attempts ${integer} not null,
      finished_at ${bigint} not null, reason text, lease_id ${bigint}, fingerprint text)`,
    index('outcomes_list', 'outcomes (workspace_id, state, message_id)'),
    index('outcomes_cause', 'outcomes (workspace_id, fingerprint, message_id) where fingerprint is not null'),

    `create table ${at('suppressions')} (
      workspace_id ${integer} not null, address text not null, reason text not null, created_at ${bigint} not null,
      primary key (workspace_id, address))${d.withoutRowid}`,
    `create table ${at('soft_bounces')} (
      workspace_id ${integer} not null, address text not null, message_id ${bigint} not null,
      bounced_at ${bigint} not null, primary key (workspace_id, address, message_id))${d.withoutRowid}`,
    `create table ${at('dead_causes')} (
      workspace_id ${integer} not null, fingerprint text not null, transport text not null, class text not null,
      code text not null, sample text not null, primary key (workspace_id, fingerprint))${d.withoutRowid}`,
    `create table ${at('tallies')} (
      minute ${bigint} not null, workspace_id ${integer} not null, state text not null, n ${integer} not null)`,
    `create table ${at('totals')} (
      workspace_id ${integer} not null, hour ${bigint} not null, state text not null, n ${bigint} not null,
      primary key (workspace_id, hour, state))${d.withoutRowid}`,
  ];
}
