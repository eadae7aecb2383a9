import { expect, test } from 'vitest';
import { NOBODY } from './contact.js';
import { importDid } from './import-did.js';

const ada = { ...NOBODY, email: 'ada@example.org', name: 'Ada', attributes: { company: 'Looms', rooms: 3 } };

test('what a line did to somebody names what differs, and not more than a few of it', () => {
  expect(importDid(undefined, ada)).toBe('new');
  expect(importDid(ada, { ...ada, attributes: { rooms: 3, company: 'Looms' } })).toBe('unchanged');
  expect(importDid(ada, { ...ada, emailGiven: 'Ada@example.org' })).toBe('updated: email');
  expect(importDid(ada, { ...ada, timezone: 'UTC', attributes: { rooms: 4 } })).toBe(
    'updated: time zone, company, rooms',
  );
  expect(importDid(ada, { ...NOBODY, email: 'a@example.org', linkedinId: 'ada' })).toBe(
    'updated: email, name, LinkedIn id and 2 more',
  );
  expect(importDid(ada, { ...ada, attributes: { ...ada.attributes, ['x'.repeat(90)]: 1 } })).toBe(
    `updated: ${'x'.repeat(40)}`,
  );
});
