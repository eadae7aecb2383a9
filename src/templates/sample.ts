import type { TemplateVariable } from '../store/scripts/templates.js';
import { SAMPLE_PAYLOAD, SHIPPED } from './shipped.js';

/** Whatever it reads has a value that says its name. */
export function samplePayload({
  id,
  locales,
}: {
  readonly id: string;
  readonly locales: readonly { readonly variables: readonly TemplateVariable[] }[];
}): Readonly<Record<string, unknown>> {
  if (id === SHIPPED.id) return SAMPLE_PAYLOAD;
  const payload: Record<string, unknown> = {};
  for (const { name } of locales.flatMap(({ variables }) => variables)) {
    const [root = '', ...rest] = name.split('.');
    if (root === 'recipient' || root === '__proto__') continue;
    const value = rest.reduceRight<unknown>((inner, field) => ({ [field]: inner }), `[${name}]`);
    payload[root] = merged(payload[root], value);
  }
  return payload;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function merged(before: unknown, value: unknown): unknown {
  if (!isObject(value)) return before ?? value;
  if (!isObject(before)) return value;
  const names = [...new Set([...Object.keys(before), ...Object.keys(value)])];
  return Object.fromEntries(names.map((name) => [name, merged(before[name], value[name])]));
}
