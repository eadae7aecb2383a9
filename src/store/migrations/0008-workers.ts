import type { DefinitionDialect } from './dialect.js';

/** Who works: one row a process, written by itself every few seconds. Instants are real time. */
export const workers = ({ at, bigint, withoutRowid }: DefinitionDialect): string[] => [
  `create table ${at('workers')} (
    name text primary key, kind text not null, host text not null, version text not null,
    started_at ${bigint} not null, seen_at ${bigint} not null)${withoutRowid}`,
];
