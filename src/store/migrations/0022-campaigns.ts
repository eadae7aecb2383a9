import { oneOf, type DefinitionDialect } from './dialect.js';
import type { LargeIndex } from './parts.js';

/**
 * Campaigns, who is in them, and what their messages are known by (docs/decisions/0023). A message of a campaign is a
 * message like any other: the columns say whose it is, and what the gate must look at.
 */
export const campaigns = (d: DefinitionDialect): string[] => {
  const { at, integer, bigint, identity, withoutRowid, storage } = d;
  const busy = storage('fillfactor = 50');
  const days = d.name === 'sqlite' ? withoutRowid : busy;
  return [
    `create table ${at('campaigns')} (
      id ${identity}, workspace_id ${integer} not null, name text not null,
      state text not null ${oneOf('state', ['draft', 'running', 'paused', 'stopped', 'completed'])},
      sequence_id ${bigint}, sequence_version ${integer}, account_ids text not null, terms text not null default '{}',
      stop_on_reply ${integer} not null default 1, seed ${integer} not null,
      enrolled ${integer} not null default 0, planned_through ${integer} not null default 0,
      replan ${integer} not null default 0, plan_fault text,
      launched_at ${bigint}, launched_ends_at ${bigint}, paused_at ${bigint}, pause_reason text, finished_at ${bigint},
      created_at ${bigint} not null, updated_at ${bigint} not null)${busy}`,
    `create index campaigns_list on ${at('campaigns')} (workspace_id, id)`,
    `create index campaigns_state on ${at('campaigns')} (state, id)`,
    // Who is in a campaign. Positions give the order in which people are planned; without one only messages that were
    // made for that person leave.
    `create table ${at('enrolments')} (
      campaign_id ${bigint} not null, contact_id ${bigint} not null, workspace_id ${integer} not null,
      position ${integer}, state text not null, reason text, resume_at ${bigint}, replied_at ${bigint},
      accepted_at ${bigint}, enrolled_at ${bigint} not null, changed_at ${bigint} not null,
      primary key (campaign_id, contact_id))${withoutRowid}`,
    `create unique index enrolments_position on ${at('enrolments')} (campaign_id, position) where position is not null`,
    `create index enrolments_state on ${at('enrolments')} (campaign_id, state, position)`,
    `create index enrolments_contact on ${at('enrolments')} (contact_id)`,
    `create index enrolments_replied on ${at('enrolments')} (campaign_id) where replied_at is not null`,
    `create index enrolments_resume on ${at('enrolments')} (resume_at) where resume_at is not null`,
    // Whoever plans for a workspace, and until when. Real time: a virtual clock must not end it.
    `create table ${at('planners')} (
      workspace_id ${integer} primary key, campaign_id ${bigint} not null, owner text not null,
      until ${bigint} not null)${busy}`,
    // What was planned for an account's local day when it was first planned, and what has left on it.
    `create table ${at('campaign_days')} (
      campaign_id ${bigint} not null, account_id ${integer} not null, action text not null, day text not null,
      launched ${integer} not null default 0, sent ${integer} not null default 0,
      primary key (campaign_id, account_id, action, day))${days}`,
    // Messages that were made by somebody else and wait for a time.
    `create table ${at('ready_messages')} (
      id ${identity}, workspace_id ${integer} not null, campaign_id ${bigint} not null, contact_id ${bigint} not null,
      action text not null, idempotency_key text not null, body_hash text not null, subject text, mail text not null,
      created_at ${bigint} not null)`,
    `create unique index ready_messages_key on ${at('ready_messages')} (workspace_id, idempotency_key)`,
    `create index ready_messages_campaign on ${at('ready_messages')} (campaign_id, id)`,
    // As `openings`, for mail that leaves in its recipient's window: a whole local day of the account.
    `create table ${at('own_openings')} (
      channel_id ${integer} primary key, account_id ${integer} not null, workspace_id ${integer} not null,
      action text not null, day text not null default '', total_day text not null default '',
      quota ${integer} not null default 0, hour ${bigint} not null default 0, hour_quota ${integer} not null default 0,
      opens_at ${bigint} not null default 0, open_until ${bigint} not null default 0)${busy}`,
    `create index own_openings_account on ${at('own_openings')} (account_id)`,
    `create index own_openings_workspace on ${at('own_openings')} (workspace_id)`,
    ...['campaign_id', 'contact_id', 'sequence_id', 'closes_at'].map(
      (column) => `alter table ${at('messages')} add column ${column} ${bigint}`,
    ),
    ...['sequence_version', 'step_number'].map(
      (column) => `alter table ${at('messages')} add column ${column} ${integer}`,
    ),
    `alter table ${at('due')} add column closes_at ${bigint}`,
  ];
};

/** Other lanes do not pay for them. */
export const campaignIndexes = ({ at }: DefinitionDialect): readonly LargeIndex[] => [
  { name: 'messages_campaign', on: `${at('messages')} (campaign_id, id) where campaign_id is not null` },
  { name: 'messages_contact', on: `${at('messages')} (contact_id, id) where contact_id is not null` },
  { name: 'due_closing', on: `${at('due')} (closes_at) where closes_at is not null` },
];
