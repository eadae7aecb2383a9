import type { TSchema } from '../vendor/typebox.js';

interface Shape {
  readonly type?: unknown;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/**
 * The part of a body that its route knows. What a route takes and ignores (it is read-only, or its schema says nothing)
 * did not do anything, so nobody needs to keep it. Without a schema nothing was read at all.
 */
export function knownPart(schema: TSchema | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const shapes = variantsOf(schema);
  if (Array.isArray(value)) {
    const items = shapes.find((shape) => shape.items)?.items;
    return items ? value.map((each) => knownPart(items, each)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = Object.assign({}, ...shapes.map((shape) => shape.properties)) as Record<string, TSchema>;
  // A shape without names of its own: a list by day, for example.
  if (Object.keys(properties).length === 0) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return known && !isIgnored(known) ? [[name, knownPart(known, child)]] : [];
    }),
  );
}

const variantsOf = (schema: TSchema): readonly Shape[] => {
  const shape = schema as Shape;
  return shape.anyOf ? shape.anyOf.flatMap(variantsOf) : [shape];
};

const isIgnored = (schema: TSchema): boolean =>
  (schema as Shape).readOnly === true || Object.keys(schema).length === 0;
