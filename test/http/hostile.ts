import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { formatId, ID_PREFIXES, type IdKind } from '#pillarbox/core/ids';

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e999',
  'NaN',
  'true',
  'null',
  'undefined',
  '9007199254740993',
  '2147483648',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e',
  '\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  "'; drop table messages; --",
  '" or 1=1 --',
  '%',
  '_%',
  '%00',
  '../../../etc/passwd',
  '{{7*7}}',
  '$1',
  '2026-02-31T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-11-16',
  '2026-11-16T14:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  'Europe/Atlantis',
  'ada@example.org',
  'smtp://127.0.0.1:1',
  'http://169.254.169.254/',
  'a'.repeat(300),
  'ü'.repeat(5_000),
];

const NUMBERS = [0, -0, -1, 0.5, 1, 7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324];

const IDS = (Object.keys(ID_PREFIXES) as IdKind[]).flatMap((kind) => [
  ...[1, 2, 3, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER].map((id) => formatId(kind, id)),
  `${ID_PREFIXES[kind]}_`,
  `${ID_PREFIXES[kind]}_zzzzzzzzzzz`,
]);

/** Made once: that takes longer than what is made with them. */
const BINARY = fc.string({ unit: 'binary', maxLength: 40 });
const JSON_VALUE = fc.jsonValue({ maxDepth: 4 });

/** Texts that something might stumble over; `more` of them that are right, but somebody else's. */
export const anyText = (more: readonly string[] = []): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...IDS, ...more),
    BINARY,
    // A text as JavaScript has it, with halves of surrogate pairs.
    fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  );

const anyValue = (more: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: anyText(more) },
    { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
    fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: -1 }, { toString: 1 }),
    JSON_VALUE,
    fc.integer({ min: 1, max: 60 }).map(nested),
  );

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
}

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

/**
 * Values of nearly the right shape, so that they get past the door and into the rooms: one that is right with some
 * field spoilt, or all fields made up after the schema.
 */
export function nearly(
  schema: TSchema | undefined,
  right: object | undefined,
  more: readonly string[],
): fc.Arbitrary<unknown> {
  const shape = (schema ?? {}) as Shape;
  const madeUp = fc.oneof(
    { weight: 3, arbitrary: ofShape(shape, more) },
    { weight: 1, arbitrary: anyValue(more) },
  );
  return right ? fc.oneof({ weight: 3, arbitrary: spoilt(shape, right, more) }, madeUp) : madeUp;
}

function spoilt(shape: Shape, right: object, more: readonly string[]): fc.Arbitrary<object> {
  const names = [...new Set([...Object.keys(right), ...Object.keys(shape.properties ?? {})])];
  const field = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.tuple(fc.constant(name), fc.oneof(ofShape(shape.properties?.[name] ?? {}, more), anyValue(more))),
    );
  return fc.array(field, { maxLength: 2 }).map((fields) => ({ ...right, ...Object.fromEntries(fields) }));
}

function ofShape(shape: Shape, more: readonly string[]): fc.Arbitrary<unknown> {
  const inner = (part: Shape): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 6, arbitrary: ofShape(part, more) }, { weight: 1, arbitrary: anyValue(more) });
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((part) => ofShape(part, more)));
  if (shape.type === 'array') return fc.array(inner(shape.items ?? {}), { maxLength: 3 });
  if (shape.type === 'object' && shape.properties) {
    const fields = Object.entries(shape.properties).map(([name, part]) => [name, inner(part)] as const);
    const requiredKeys = [...(shape.required ?? [])];
    return fc.record(Object.fromEntries(fields), { requiredKeys });
  }
  if (shape.type === 'integer' || shape.type === 'number') {
    return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(...NUMBERS));
  }
  if (shape.type === 'boolean') return fc.boolean();
  if (shape.type === 'string') {
    return fc.oneof(anyText(more), fc.constantFrom('ada@example.org', 'Ada', 'a good long password'));
  }
  return anyValue(more);
}

/** Bodies that are no JSON, or JSON that nobody writes. */
export const anyBrokenBody: fc.Arbitrary<string> = fc.constantFrom(
  '{',
  '[]',
  'null',
  '"text"',
  '7',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1e99999}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '['.repeat(50_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"a":[${'0,'.repeat(100_000)}0]}`,
);
