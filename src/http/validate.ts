import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import Value from 'typebox/value';
import { invalidInput } from '../errors.js';
import { shapeFault } from '../shape-fault.js';

const DEEPEST = 32;

/** Bodies as they are: nothing is coerced. What comes in an address is text, and is read as what it should be. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  const whole = httpPart ?? 'request';
  return (given: unknown) => {
    const value = httpPart === 'body' ? given : Value.Convert(schema, given);
    if (validator.Check(value)) return { value };
    return { error: shapeFault(validator.Errors(value), whole) };
  };
};

/** What no text may hold, wherever it stands: neither database keeps it as it came. */
export function refuseBrokenText(body: unknown): void {
  const open: { value: unknown; path: readonly string[] }[] = [{ value: body, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') refuseText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= DEEPEST) throw invalidInput('body', `is nested deeper than ${String(DEEPEST)} levels`);
    for (const [key, child] of Object.entries(value)) {
      refuseText(key, path);
      open.push({ value: child, path: [...path, key] });
    }
  }
}

function refuseText(text: string, path: readonly string[]): void {
  const field = path.slice(0, 4).join('.') || 'body';
  if (text.includes('\0')) throw invalidInput(field, 'holds a NUL character');
  if (!text.isWellFormed()) throw invalidInput(field, 'holds half of a surrogate pair');
}
