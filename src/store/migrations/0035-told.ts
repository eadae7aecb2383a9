import type { DefinitionDialect } from './dialect.js';

/**
 * Who published an event: a key, a person, a program; of older ones nobody knows. When it was published again, which told
 * nobody. And that somebody was left out again for
 * the same reason, which is one line of a history however often it happens: how often, and when last.
 */
export const told = ({ at, bigint, integer }: DefinitionDialect): string[] => [
  `alter table ${at('events')} add column published_by text`,
  `alter table ${at('events')} add column repeated_at ${bigint}`,
  `alter table ${at('subscription_events')} add column times ${integer}`,
  `alter table ${at('subscription_events')} add column last_at ${bigint}`,
];
