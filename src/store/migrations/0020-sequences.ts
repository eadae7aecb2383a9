import type { DefinitionDialect } from './dialect.js';

/** What a person is written to, step by step. A version never changes once it is stored. */
export const sequences = ({ at, bigint, integer, identity, withoutRowid }: DefinitionDialect): string[] => [
  `create table ${at('sequences')} (
    id ${identity}, workspace_id ${integer} not null, name text not null, version ${integer} not null,
    created_at ${bigint} not null, updated_at ${bigint} not null)`,
  `create index sequences_list on ${at('sequences')} (workspace_id, id)`,
  `create table ${at('sequence_versions')} (
    sequence_id ${bigint} not null, version ${integer} not null, steps text not null, created_at ${bigint} not null,
    primary key (sequence_id, version))${withoutRowid}`,
];
