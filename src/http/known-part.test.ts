import { expect, test } from 'vitest';
import { Type } from '../vendor/typebox.js';
import { knownPart } from './known-part.js';

const Body = Type.Object({
  name: Type.String(),
  window: Type.Optional(Type.Union([Type.Object({ startHour: Type.Integer() }), Type.Null()])),
  hours: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  list: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))),
  createdAt: Type.Optional(Type.Unknown()),
  updatedAt: Type.Optional(Type.String({ readOnly: true })),
});

test('what a route knows is kept, what it ignores or does not know is not', () => {
  const given = {
    ...{ name: 'x', createdAt: 'y'.repeat(1_000), updatedAt: 'z', stranger: 1, hours: { '1': ['09:00'] } },
    ...{ window: { startHour: 9, stranger: 1 }, list: [{ id: 'a', stranger: 1 }] },
  };
  expect(knownPart(Body, given)).toEqual({
    ...{ name: 'x', hours: { '1': ['09:00'] }, window: { startHour: 9 }, list: [{ id: 'a' }] },
  });
  expect(knownPart(Body, { name: 'x', window: null })).toEqual({ name: 'x', window: null });
});

test('without a schema nothing was read', () => {
  expect(knownPart(undefined, { anything: 1 })).toBeUndefined();
});

test('a field called __proto__ is a stranger like any other', () => {
  expect(knownPart(Body, JSON.parse('{"name":"x","__proto__":{"a":1}}'))).toEqual({ name: 'x' });
});
