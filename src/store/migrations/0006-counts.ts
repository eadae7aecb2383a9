import type { DefinitionDialect } from './dialect.js';

/**
 * Counters, not scans. Whoever moves messages appends what changed to `tallies`; the sweeper folds it into `counts`
 * (how many there are), `minutes` (what happened lately, by channel) and `totals` (what happened, by the hour).
 * Readers add what is not folded yet, so a count is right at every moment.
 */
export const counts = (d: DefinitionDialect): string[] => {
  const { at, integer, bigint } = d;
  return [
    `insert into ${at('totals')} (workspace_id, hour, state, n)
      select workspace_id, (minute / 60) * 3600000, state, sum(n) from ${at('tallies')} where true group by 1, 2, 3
      on conflict (workspace_id, hour, state) do update set n = totals.n + excluded.n`,
    `delete from ${at('tallies')}`,
    `alter table ${at('tallies')} add column channel_id ${integer} not null default 0`,
    `alter table ${at('tallies')} add column fingerprint text`,
    `create table ${at('counts')} (
      workspace_id ${integer} not null, state text not null, lane text not null, fingerprint text not null default '',
      n ${bigint} not null, primary key (workspace_id, state, lane, fingerprint))${d.withoutRowid}`,
    `create table ${at('minutes')} (
      workspace_id ${integer} not null, minute ${bigint} not null, channel_id ${integer} not null, state text not null,
      n ${bigint} not null, primary key (workspace_id, minute, channel_id, state))${d.withoutRowid}`,
    `insert into ${at('counts')} (workspace_id, state, lane, n)
      select workspace_id, 'accepted', lane, count(*) from ${at('messages')} group by 1, 3`,
    `insert into ${at('counts')} (workspace_id, state, lane, fingerprint, n)
      select o.workspace_id, o.state, m.lane, coalesce(o.fingerprint, ''), count(*)
      from ${at('outcomes')} o join ${at('messages')} m on m.id = o.message_id group by 1, 2, 3, 4`,

    // Byte order, whatever the database sorts by: an address and its beginnings are then stretches of one index.
    d.dropIndex('messages_recipient'),
    `create index messages_recipient on ${at('messages')} (workspace_id, recipient ${d.byteOrder}, id)`,
    // By time within a cause: its first and its last are one look each.
    d.dropIndex('outcomes_cause'),
    `create index outcomes_cause on ${at('outcomes')} (workspace_id, fingerprint, finished_at, message_id) where fingerprint is not null`,
    `create index due_queued on ${at('due')} (workspace_id, message_id) where queued_at is not null`,
  ];
};
