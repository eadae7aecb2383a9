import type { DefinitionDialect } from './dialect.js';

/**
 * People, and files of them that are being imported. A person is known by the canonical address, else by the LinkedIn id.
 * The file of an import stands here in pieces until it is done, so that any process can go on with it. What came back is
 * known by a hash of what it was called, so that it counts once.
 */
export const contacts = (d: DefinitionDialect): string[] => {
  const { name, at, integer, bigint, identity, byteOrder, withoutRowid } = d;
  return [
    `create table ${at('contacts')} (
      id ${identity}, workspace_id ${integer} not null, email text, email_given text, name text, linkedin_id text,
      timezone text, attributes text not null default '{}', import_id ${bigint}, import_line ${integer},
      created_at ${bigint} not null, updated_at ${bigint} not null)`,
    `create unique index contacts_email on ${at('contacts')} (workspace_id, email ${byteOrder}) where email is not null`,
    `create unique index contacts_linkedin on ${at('contacts')} (workspace_id, linkedin_id)
      where linkedin_id is not null`,
    `create index contacts_list on ${at('contacts')} (workspace_id, id)`,
    `create index contacts_import on ${at('contacts')} (import_id, id) where import_id is not null`,
    // In the order of bytes, so that the beginning of a word is a stretch of it.
    ...(name === 'postgres'
      ? [
          `create table ${at('contact_words')} (
            workspace_id ${integer} not null, word text not null, contact_id ${bigint} not null)`,
          `create unique index contact_words_key on ${at('contact_words')} (workspace_id, word ${byteOrder}, contact_id)`,
        ]
      : [
          `create table contact_words (workspace_id integer not null, word text not null, contact_id integer not null,
            primary key (workspace_id, word, contact_id))${withoutRowid}`,
        ]),
    `create table ${at('imports')} (
      id ${identity}, workspace_id ${integer} not null, state text not null, file_name text, bytes ${bigint} not null,
      encoding text not null, separator text not null, columns text not null, mapping text,
      lines ${integer} not null default 0, done ${integer} not null default 0, pieces ${integer} not null default 0,
      next_piece ${integer} not null default 0, imported ${integer} not null default 0,
      updated ${integer} not null default 0, rejected ${integer} not null default 0,
      suppressed ${integer} not null default 0, reasons text not null default '{}', created_at ${bigint} not null,
      started_at ${bigint}, finished_at ${bigint}, touched_at ${bigint} not null)`,
    `create index imports_list on ${at('imports')} (workspace_id, id)`,
    `create index imports_open on ${at('imports')} (state, id) where finished_at is null`,
    `create index imports_age on ${at('imports')} (touched_at)`,
    `create table ${at('import_pieces')} (
      import_id ${bigint} not null, number ${integer} not null, records text not null, edits ${integer} not null default 0,
      primary key (import_id, number))`,
    `create table ${at('import_rejects')} (
      import_id ${bigint} not null, line ${integer} not null, code text not null, reason text not null,
      cells text not null, primary key (import_id, line))`,
    `create table ${at('inbound')} (
      workspace_id ${integer} not null, key text not null, kind text not null, message_id ${bigint}, at ${bigint} not null,
      primary key (workspace_id, key))${withoutRowid}`,
    `create index inbound_age on ${at('inbound')} (at)`,
  ];
};
