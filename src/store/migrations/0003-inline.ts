import type { DefinitionDialect } from './dialect.js';

/**
 * A caller's own try: its lease says so, and its attempt stands apart from the engine's. What waits says whether it
 * was tried, so that a list of either kind is one stretch of one index.
 */
export const inline = ({ at, integer, dropIndex }: DefinitionDialect): string[] => [
  `alter table ${at('leases')} add column inline ${integer} not null default 0`,
  `alter table ${at('attempts')} add column inline ${integer} not null default 0`,
  `alter table ${at('due')} add column tried ${integer} not null default 0`,
  `update ${at('due')} set tried = 1 where message_id in (select id from ${at('messages')} where attempts > 0)`,
  dropIndex('due_list'),
  `create index due_list on ${at('due')} (workspace_id, tried, message_id)`,
];
