import type { DefinitionDialect } from './dialect.js';

/**
 * What a worker says of itself with each sign of life; what went through the broker, minute by minute for a day; and
 * which dead letters the broker was told of last. Instants and minutes are real time.
 */
export const workFigures = ({ at, bigint, integer, withoutRowid }: DefinitionDialect): string[] => [
  ...['places', 'last_minute', 'leases_lost', 'confirm_ms'].map(
    (column) => `alter table ${at('workers')} add column ${column} ${integer}`,
  ),
  `create table ${at('relay_minutes')} (
    minute ${bigint} primary key, queued ${integer} not null, published ${integer} not null,
    again ${integer} not null, returned ${integer} not null, dropped ${integer} not null,
    away ${integer} not null)${withoutRowid}`,
  `create table ${at('announced')} (
    message_id ${bigint} primary key, told_at ${bigint} not null)${withoutRowid}`,
];
