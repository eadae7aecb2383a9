import { Type, type Static, type TSchema } from '../vendor/typebox.js';

/**
 * What the shapes of answers are made of. A shape says what leaves this program: what it does not name does not leave.
 * With a title it is known by that name wherever it appears. Examples are for the documentation; a shape without one
 * of its own is shown by those of its parts.
 */

interface Words {
  readonly title?: string;
  readonly description?: string;
}

export const text = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description !== undefined && { description }) });

export const whole = (example: number, description?: string) =>
  Type.Integer({ examples: [example], ...(description !== undefined && { description }) });

export const figure = (example: number, description?: string) =>
  Type.Number({ examples: [example], ...(description !== undefined && { description }) });

export const flag = (example: boolean, description?: string) =>
  Type.Boolean({ examples: [example], ...(description !== undefined && { description }) });

const AN_INSTANT = '2026-11-16T14:00:00.000Z';

/** ISO 8601 in UTC. */
export const instant = (description?: string, example = AN_INSTANT) =>
  Type.String({
    format: 'date-time',
    examples: [example],
    ...(description !== undefined && { description }),
  });

/** One of these. */
export const word = <Value extends string>(values: readonly Value[], words: Words = {}) =>
  Type.Enum([...values], { type: 'string', ...words });

/** Shown as null, unless an example is given. */
export const nullable = <T extends TSchema>(
  shape: T,
  description?: string,
  example: Static<T> | null = null,
) =>
  Type.Union([shape, Type.Null()], {
    examples: [example],
    ...(description !== undefined && { description }),
  });

/** May be missing. */
export const optional = <T extends TSchema>(shape: T) =>
  Type.Optional(Type.Unsafe<Static<T> | undefined>(shape));

export const list = <T extends TSchema>(item: T, description?: string) =>
  Type.Immutable(Type.Array(item, description === undefined ? {} : { description }));

/** Any number of texts, each by a name of its own. */
export const textsByName = (example: Readonly<Record<string, string>>) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [example],
  });

/** A part of a list. `nextCursor` asks for the next one; null: this was the last. */
export const page = <T extends TSchema>(item: T) =>
  Type.Object({ items: list(item), nextCursor: nextCursor() });

export const nextCursor = () => nullable(Type.String(), 'Ask with it for what follows; null: nothing does.');
