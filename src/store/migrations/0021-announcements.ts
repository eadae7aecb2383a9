import type { DefinitionDialect } from './dialect.js';

/**
 * Dead letters that a broker is to be told of: written by the settlement that ends a message, taken by a relay, and gone
 * when the broker has confirmed them. Instants of `taken_until` are real time. Small unless the broker is away.
 */
export const announcements = ({ at, bigint, identity }: DefinitionDialect): string[] => [
  `create table ${at('announcements')} (
    id ${identity}, message_id ${bigint} not null, dead_reason text, error_class text, error_code text, error text,
    died_at ${bigint} not null, taken_until ${bigint} not null default 0)`,
];
