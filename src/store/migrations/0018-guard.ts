import type { DefinitionDialect } from './dialect.js';

/**
 * When accounts may send, and what their days have used (docs/decisions/0019). A guarded channel is blocked for good in
 * the eyes of every statement that knows nothing of the guard, also of the version before: only the guard's own
 * statements take its messages. Rows that are written with every send leave room on their page for the next version.
 */
export const guard = (d: DefinitionDialect): string[] => {
  const { at, integer, bigint, storage, withoutRowid } = d;
  const busy = storage('fillfactor = 50');
  const days = d.name === 'sqlite' ? withoutRowid : busy;
  return [
    `alter table ${at('channels')} add column guarded ${integer} not null default 0`,
    // One a guarded account: its lock, and what all its actions share.
    `create table ${at('guards')} (
      account_id ${integer} primary key, workspace_id ${integer} not null, spacing_ms ${bigint} not null default 0,
      spacing_max_ms ${bigint} not null default 0, free_at ${bigint} not null default 0, holder ${bigint})${busy}`,
    // One a guarded channel: the stretch in which it may send, or the next one.
    `create table ${at('openings')} (
      channel_id ${integer} primary key, account_id ${integer} not null, workspace_id ${integer} not null,
      action text not null, day text not null default '', total_day text not null default '',
      quota ${integer} not null default 0, hour ${bigint} not null default 0, hour_quota ${integer} not null default 0,
      opens_at ${bigint} not null default 0, open_until ${bigint} not null default 0)${busy}`,
    `create index openings_account on ${at('openings')} (account_id)`,
    `create index openings_workspace on ${at('openings')} (workspace_id)`,
    // What an account has used of a local day: kept for ever, because ramp-up, weeks and months are made of days.
    `create table ${at('account_days')} (
      account_id ${integer} not null, action text not null, day text not null, used ${integer} not null default 0,
      sent ${integer} not null default 0, in_doubt ${integer} not null default 0, hour ${bigint} not null default 0,
      hour_used ${integer} not null default 0, primary key (account_id, action, day))${days}`,
    `create table ${at('workspace_days')} (
      workspace_id ${integer} not null, day text not null, quota ${integer} not null default 0,
      used ${integer} not null default 0, primary key (workspace_id, day))${days}`,
    // What is claimed and not settled has its place in the day; what is held keeps it until somebody decides.
    `create table ${at('reservations')} (
      message_id ${bigint} primary key, account_id ${integer} not null, action text not null, day text not null,
      hour ${bigint} not null, workspace_id ${integer} not null, total_day text not null, reserved_at ${bigint} not null,
      doubted ${integer} not null default 0)`,
    `create index reservations_age on ${at('reservations')} (reserved_at)`,
    // What speaks against an account: it stops itself when there is too much of it.
    `create table ${at('account_harm')} (
      account_id ${integer} not null, message_id ${bigint} not null, kind text not null, at ${bigint} not null,
      primary key (account_id, message_id, kind))${withoutRowid}`,
    `create index account_harm_age on ${at('account_harm')} (at)`,
    `create index account_harm_recent on ${at('account_harm')} (account_id, at)`,
    // Of guarded mail, whose channel serves several lanes.
    `alter table ${at('tallies')} add column lane text`,
  ];
};
