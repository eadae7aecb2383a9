import type { DefinitionDialect } from './dialect.js';

/** What notifications say: versions in the order in which they came, and the texts of each by their locales. */
export const templates = ({ at, bigint, integer, identity, withoutRowid }: DefinitionDialect): string[] => [
  `create table ${at('template_versions')} (
    id ${identity}, workspace_id ${integer} not null, template_id text not null, version text not null,
    fallback_locale text, created_at ${bigint} not null)`,
  `create unique index template_versions_name on ${at('template_versions')} (workspace_id, template_id, version)`,
  `create index template_versions_order on ${at('template_versions')} (workspace_id, template_id, id)`,
  // A text that mail has left with is never changed again: used_at is written before the first one leaves.
  `create table ${at('templates')} (
    version_id ${bigint} not null, locale text not null, subject text not null, html text, text text, mjml text,
    variables text not null, hash text not null, used_at ${bigint}, created_at ${bigint} not null,
    updated_at ${bigint} not null, primary key (version_id, locale))${withoutRowid}`,
];
