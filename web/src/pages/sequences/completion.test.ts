import { expect, test } from 'vitest';
import { askedAt, completed, offersFor } from './completion';

const at = (text: string) => {
  const caret = text.indexOf('|^');
  return askedAt(text.replace('|^', ''), caret);
};

test.each([
  ['Hi {{|^', ''],
  ['Hi {{ con|^', 'con'],
  ['Hi {{ contact.attributes.ro|^ }}', 'contact.attributes.ro'],
  ['{% if contact.na|^ %}', 'contact.na'],
  ['{{ a }} and {{ b|^', 'b'],
])('%j asks for %j', (text, word) => expect(at(text)?.word).toBe(word));

test.each(['Hi con|^', '{{ a }} con|^', '{{ a | upc|^', '{{ a | default: "con|^', 'Hi {{ a\ncon|^'])(
  '%j asks for nothing',
  (text) => expect(at(text)).toBeUndefined(),
);

const variable = (name: string, filled = 0) => ({ name, filled, of: 9, example: null });

test('what begins so comes first, then what more people have', () => {
  const all = [
    variable('account.name', 9),
    variable('contact.name', 5),
    variable('name.x'),
    variable('contact.email', 9),
  ];
  expect(offersFor('name', all).map(({ name }) => name)).toEqual(['name.x', 'account.name', 'contact.name']);
  expect(offersFor('contact.', all).map(({ name }) => name)).toEqual(['contact.email', 'contact.name']);
  expect(offersFor('nothing', all)).toEqual([]);
});

test('it is put in place of the word, and closed if it is not', () => {
  const put = (text: string, word: string) =>
    completed(text, { from: text.indexOf(word), word }, 'contact.name');
  expect(put('Hi {{ con', 'con')).toEqual({ text: 'Hi {{ contact.name }}', caret: 21 });
  expect(put('Hi {{ con }}, you', 'con').text).toBe('Hi {{ contact.name }}, you');
  expect(put('{% if con %}', 'con').text).toBe('{% if contact.name %}');
  expect(completed('Hi {{', { from: 5, word: '' }, 'contact.name').text).toBe('Hi {{ contact.name }}');
});
