import type { DefinitionDialect } from './dialect.js';

/**
 * What ends the tables that would grow for ever, and what is left of a person who was erased. Every index here is on
 * a table that is written to rarely; none is on the way of a mail.
 */
export const growth = (d: DefinitionDialect): string[] => {
  const { at, integer, bigint, withoutRowid } = d;
  return [
    // What retention has walked past and must look at again: what was not finished then, or had to be erased in flight.
    `create table ${at('stragglers')} (
      message_id ${bigint} primary key, workspace_id ${integer} not null, look_at ${bigint} not null,
      erase ${integer} not null default 0)${withoutRowid}`,
    `create index stragglers_look on ${at('stragglers')} (look_at)`,
    // Who must not be written to, known by a keyed hash alone.
    `create table ${at('erased')} (
      workspace_id ${integer} not null, hash text not null, reason text not null, lanes text, created_at ${bigint} not null,
      primary key (workspace_id, hash))${withoutRowid}`,
    // Since when no dead letter has this cause, as far as the sweeper has seen.
    `alter table ${at('dead_causes')} add column idle_since ${bigint}`,
    `create index soft_bounces_age on ${at('soft_bounces')} (bounced_at)`,
    `create index deaths_age on ${at('deaths')} (hour)`,
    `create index login_failures_age on ${at('login_failures')} (failed_at)`,
    ...keptButByUpkeep(d),
  ];
};

/**
 * The audit log is still append-only for whoever makes a mistake. Only retention and the erasing of a person get past
 * it, by a fact that they write first and remove last, in the same transaction: nobody else ever sees it.
 */
const keptButByUpkeep = ({ name, at }: DefinitionDialect): string[] =>
  name === 'postgres'
    ? [
        `create or replace function ${at('keep_audit')}() returns trigger language plpgsql as
          $$ begin
            if tg_op = 'TRUNCATE' or not exists (select 1 from ${at('facts')} where name = 'audit_upkeep') then
              raise exception 'the audit log is append-only';
            end if;
            return null;
          end $$`,
      ]
    : ['update', 'delete'].flatMap((change) => [
        `drop trigger keep_audit_from_${change}`,
        `create trigger keep_audit_from_${change} before ${change} on audit
          when not exists (select 1 from facts where name = 'audit_upkeep')
          begin select raise(abort, 'the audit log is append-only'); end`,
      ]);
