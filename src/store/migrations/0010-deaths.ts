import type { DefinitionDialect } from './dialect.js';

/**
 * When messages died of what, by the hour and channel: what a page of causes shows costs the same with ten dead
 * letters and with a million. And the letters of one cause in the order in which every list is.
 */
export const deaths = ({ at, integer, bigint, withoutRowid }: DefinitionDialect): string[] => [
  `create table ${at('deaths')} (
    workspace_id ${integer} not null, fingerprint text not null, hour ${bigint} not null,
    channel_id ${integer} not null, n ${bigint} not null,
    primary key (workspace_id, fingerprint, hour, channel_id))${withoutRowid}`,
  `insert into ${at('deaths')} (workspace_id, fingerprint, hour, channel_id, n)
    select o.workspace_id, o.fingerprint, o.finished_at / 3600000 * 3600000, m.channel_id, count(*)
    from ${at('outcomes')} o join ${at('messages')} m on m.id = o.message_id
    where o.fingerprint is not null group by 1, 2, 3, 4`,
  `create index outcomes_of_cause on ${at('outcomes')} (workspace_id, fingerprint, message_id) where fingerprint is not null`,
];
