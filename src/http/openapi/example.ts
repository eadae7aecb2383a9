import type { TSchema } from '../../vendor/typebox.js';

interface Shape {
  readonly type?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** A value of this shape: the example that it has, else one that is made of those of its parts. */
export function exampleOf(schema: TSchema): unknown {
  const shape = schema as Shape;
  if (shape.examples) return shape.examples[0];
  if ('const' in shape) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf?.[0]) return exampleOf(shape.anyOf[0]);
  if (shape.items) return [exampleOf(shape.items)];
  const shown = Object.entries(shape.properties ?? {}).filter(
    // What may be missing is shown where somebody thought of an example.
    ([name, part]) => shape.required?.includes(name) === true || (part as Shape).examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, part]) => [name, exampleOf(part)]));
}
