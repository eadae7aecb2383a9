import { oneOf, type DefinitionDialect } from './dialect.js';
import type { LargeIndex } from './parts.js';

// As they were when this was released.
const STATUSES = ['pending', 'active', 'paused', 'suppressed', 'unsubscribed'];

/**
 * Events, who wants to be told of them, and how far the telling is (docs/decisions/0029). A notification is a message
 * like any other that points at both; its text exists only while it is sent.
 */
export const notifications = (d: DefinitionDialect): string[] => {
  const { at, integer, bigint, identity, withoutRowid, storage } = d;
  const busy = storage('fillfactor = 50');
  return [
    // One person, one topic, one mail: `contact` is the canonical form.
    `create table ${at('subscriptions')} (
      id ${identity}, workspace_id ${integer} not null, topic text not null, contact_type text not null,
      contact text not null, contact_given text, name text, locale text, timezone text,
      status text not null ${oneOf('status', STATUSES)},
      notify_on text, max_notifications ${integer}, notified ${integer} not null default 0, limited_at ${bigint},
      window_start ${integer}, window_end ${integer}, snooze_until ${bigint},
      created_at ${bigint} not null, updated_at ${bigint} not null)${storage('fillfactor = 90')}`,
    `create unique index subscriptions_contact
      on ${at('subscriptions')} (workspace_id, topic, contact_type, contact)`,
    `create index subscriptions_person on ${at('subscriptions')} (workspace_id, contact ${d.byteOrder}, id)`,
    `create index subscriptions_list on ${at('subscriptions')} (workspace_id, id)`,
    // The walk of a fan-out.
    `create index subscriptions_active on ${at('subscriptions')} (workspace_id, topic, id) where status = 'active'`,
    // What happened to a subscription. `details`: what changed, or the state as it was told.
    `create table ${at('subscription_events')} (
      id ${identity}, subscription_id ${bigint} not null, at ${bigint} not null, kind text not null, actor text,
      event_id ${bigint}, message_id ${bigint}, details text)`,
    `create index subscription_events_list on ${at('subscription_events')} (subscription_id, id)`,
    // Only `cancelled_at` ever changes. `snapshot` is what the history of a subscription keeps of it.
    `create table ${at('events')} (
      id ${identity}, workspace_id ${integer} not null, type text not null, topic text not null, dedupe_key text,
      trace_id text, template_id text not null, template_version text, payload text not null, snapshot text,
      status_after text, event_at ${bigint} not null, expires_at ${bigint}, created_at ${bigint} not null,
      cancelled_at ${bigint}, cancelled_by text)${busy}`,
    `create index events_list on ${at('events')} (workspace_id, id)`,
    // The event that opened the window of a key. The row decides who is first.
    `create table ${at('dedupe_windows')} (
      workspace_id ${integer} not null, dedupe_key text not null, opened_at ${bigint} not null,
      event_id ${bigint} not null, primary key (workspace_id, dedupe_key))${withoutRowid}`,
    `create index dedupe_windows_age on ${at('dedupe_windows')} (opened_at)`,
    // How far an event is told, and what its messages have in common. The cursor commits with the rows that it has
    // passed; of a cancelled event it walks over the messages that are to be stopped.
    `create table ${at('fan_outs')} (
      event_id ${bigint} primary key, workspace_id ${integer} not null, topic text not null,
      after_id ${bigint} not null default 0, until_id ${bigint} not null, done ${integer} not null default 0,
      turn ${bigint} not null default 0, matched ${integer} not null default 0, seen ${integer} not null default 0,
      made ${integer} not null default 0, skips text not null default '{}',
      channel_id ${integer} not null, sender text not null, retry_policy text not null, doubt_policy text not null)${busy}`,
    `create index fan_outs_open on ${at('fan_outs')} (workspace_id, turn, event_id) where done = 0`,
    // Whose turn it was last: a workspace with a thousand events has as many turns as one with a single event.
    `create table ${at('fan_out_turns')} (
      workspace_id ${integer} primary key, turn ${bigint} not null default 0)${busy}`,
    // How many messages of an event there are in each state, and why. Folded as counts are.
    `create table ${at('event_counts')} (
      event_id ${bigint} not null, state text not null, reason text not null default '', n ${bigint} not null,
      primary key (event_id, state, reason))${withoutRowid}`,
    `alter table ${at('tallies')} add column event_id ${bigint}`,
    `alter table ${at('tallies')} add column reason text`,
    `create index tallies_event on ${at('tallies')} (event_id) where event_id is not null`,
    ...['event_id', 'subscription_id'].map(
      (column) => `alter table ${at('messages')} add column ${column} ${bigint}`,
    ),
    ...(d.name === 'postgres' ? lookedAtNow(d) : []),
  ];
};

/** As those of suppressions and channels: what the gate looks at after it has locked its leases. */
const lookedAtNow = ({ at }: DefinitionDialect): string[] => [
  `create function ${at('subscriptions_now')}(ids bigint[], locked bigint)
    returns setof ${at('subscriptions')} language plpgsql volatile rows 10 as $$ begin
      return query select s.* from ${at('subscriptions')} s where s.id = any(ids);
    end $$`,
  `create function ${at('events_now')}(ids bigint[], locked bigint)
    returns setof ${at('events')} language plpgsql volatile rows 10 as $$ begin
      return query select e.* from ${at('events')} e where e.id = any(ids);
    end $$`,
];

/**
 * The pair is the idempotency of a notification, and has no end date. Both indexes grow in the order of the walk; other
 * lanes do not pay for them.
 */
export const notificationIndexes = ({ at }: DefinitionDialect): readonly LargeIndex[] => [
  {
    name: 'messages_subscription',
    unique: true,
    on: `${at('messages')} (subscription_id, event_id) where event_id is not null`,
  },
  { name: 'messages_event', on: `${at('messages')} (event_id, id) where event_id is not null` },
];
