import type { DefinitionDialect } from './dialect.js';

/** The development inbox: what the built-in SMTP server took, as it came. Bytes as base64, alike in both databases. */
export const catcher = ({ at, identity, integer, bigint }: DefinitionDialect): string[] => [
  `create table ${at('caught')} (
    id ${identity}, received_at ${bigint} not null, sender text not null, recipients text not null,
    subject text not null, size ${integer} not null, raw text not null)`,
];
