import { expect, test } from 'vitest';
import type { Contact } from '../../api/types';
import { changedWords, contactChange, contactDraft } from './contact-draft';

const contact: Contact = {
  ...{ id: 'con_1', email: 'ada@example.org', name: 'Ada', linkedinId: null, timezone: null },
  ...{ attributes: { company: 'Looms', rooms: 12 }, suppression: null, campaigns: [] },
  ...{ importId: null, importLine: null, importDid: null, createdAt: '', updatedAt: '' },
};
const draft = contactDraft(contact);

test('what nobody touched is not told', () => {
  expect(contactChange(contact, draft)).toEqual({});
  expect(contactChange(contact, { ...draft, name: ' Ada ' })).toEqual({});
});

test('what is emptied is taken away', () => {
  const change = contactChange(contact, { ...draft, name: '', timezone: 'Europe/Oslo' });
  expect(change).toEqual({ name: null, timezone: 'Europe/Oslo' });
  expect(changedWords(change)).toEqual(['name', 'time zone']);
});

test('attributes are told one by one', () => {
  const attributes = [
    { name: 'company', value: '' },
    { name: 'rooms', value: '12' },
    { name: 'town', value: 'Bergen' },
    { name: '', value: 'nowhere' },
  ];
  expect(contactChange(contact, { ...draft, attributes })).toEqual({
    attributes: { company: null, town: 'Bergen' },
  });
  expect(contactChange(contact, { ...draft, attributes: [] })).toEqual({
    attributes: { company: null, rooms: null },
  });
  expect(
    contactChange(contact, { ...draft, attributes: [...draft.attributes, { name: 'toString', value: 'x' }] }),
  ).toEqual({ attributes: { toString: 'x' } });
});
