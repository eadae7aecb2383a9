import { expect, test } from 'vitest';
import { faultOf, lacks, mappingOf, proposed } from './mapping';

const column = (name: string, becomes: string | null) => ({
  name,
  samples: [],
  filled: 0,
  proposed: becomes,
});
const draft = proposed({
  columns: [column('E-Mail', 'email'), column('Company', 'attributes.Company'), column('notes', null)],
});

test('what is proposed is what is told, if nobody says otherwise', () => {
  expect(mappingOf(draft)).toEqual({ 'E-Mail': 'email', Company: 'attributes.Company', notes: null });
  expect(lacks(draft)).toBeUndefined();
});

test('an attribute may have another name', () => {
  const other = { ...draft, notes: { becomes: 'attribute', name: ' remarks ' } as const };
  expect(mappingOf(other)['notes']).toBe('attributes.remarks');
  expect(lacks({ ...draft, notes: { becomes: 'attribute', name: ' ' } })).toBe('Choose what notes becomes.');
});

test('two columns that become the same are told of each other', () => {
  const twice = { ...draft, notes: { becomes: 'email', name: 'notes' } as const };
  expect(faultOf(twice, 'notes')).toBe('E-Mail becomes the same.');
  expect(lacks(twice)).toBe('Choose what E-Mail becomes.');
});

test('somebody must be reached', () => {
  expect(lacks({ ...draft, 'E-Mail': { becomes: 'nothing', name: 'E-Mail' } })).toMatch(
    /Email or LinkedIn id/,
  );
});
