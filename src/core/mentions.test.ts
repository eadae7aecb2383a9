import { expect, test } from 'vitest';
import { mentions, replaceMentions } from './mentions.js';

const ADA = 'ada@example.org';

test.each([
  ['ada@example.org', '#'],
  ['550 5.1.1 <Ada@Example.ORG>: unknown', '550 5.1.1 <#>: unknown'],
  ['{"to":"ada@example.org","cc":["ADA@example.org"]}', '{"to":"#","cc":["#"]}'],
  ['ask ada@example.org. Or not', 'ask #. Or not'],
  ['mailto:ada@example.org, user=ada@example.org', 'mailto:#, user=#'],
  ["'ada@example.org' is unknown", "'#' is unknown"],
])('an address is found in %s', (text, without) => {
  expect(replaceMentions(text, ADA, '#')).toBe(without);
  expect(mentions(text, ADA)).toBe(true);
});

test.each([
  '',
  'ada',
  '@example.org',
  'lada@example.org',
  'x.ada@example.org',
  'ada@example.org.uk',
  'ada@example.organic',
  'ada@example.org-x',
  'ada@@example.org',
])('somebody else is not: %s', (text) => {
  expect(replaceMentions(text, ADA, '#')).toBe(text);
  expect(mentions(text, ADA)).toBe(false);
});
