import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** Values that only look like schemas. */
const VALUES = new Set(['examples', 'enum', 'const']);

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shapes that have a title stand once, under that name; wherever one is used, it is referred to. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  refer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.refer(each));
    if (!isJson(value)) return value;
    const { title, ...schema } = value;
    if (typeof title !== 'string') return this.#parts(value);
    this.#name(title, this.#parts(schema));
    return { $ref: `#/components/schemas/${title}` };
  }

  #parts(schema: Json): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, VALUES.has(key) ? value : this.refer(value)]),
    );
  }

  #name(title: string, schema: Json): void {
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two shapes are called ${title}`);
    }
    this.schemas[title] = schema;
  }
}
