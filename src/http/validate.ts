import type { FastifySchemaCompiler } from 'fastify';
import { invalidInput } from '../core/errors.js';
import { shapeFault } from '../shapes/fault.js';
import { DEEPEST, fieldOf, textFault, TOO_DEEP } from '../shapes/plain.js';
import { Compile, Value, type TSchema } from '../vendor/typebox.js';

/** Bodies as they are: nothing is coerced. What comes in an address is text, and is read as what it should be. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  const whole = httpPart ?? 'request';
  return (given: unknown) => {
    const value = httpPart === 'body' ? given : Value.Convert(schema, given);
    // Not before somebody asks: of two hundred routes few are used soon, and a server starts without waiting for the rest.
    const validator = (compiled ??= Compile(schema));
    if (validator.Check(value)) return { value };
    return { error: shapeFault(validator.Errors(value), whole) };
  };
};

/** What no text may hold, wherever it stands: neither database keeps it as it came. `whole`: what to call all of it. */
export function refuseBrokenText(value: unknown, whole: string): void {
  look(value, []);

  // Nothing is made on the way: a list of a million numbers must cost no more than a glance.
  function look(part: unknown, path: (string | number)[]): void {
    if (typeof part === 'string') refuseText(part, path);
    if (typeof part !== 'object' || part === null) return;
    if (path.length >= DEEPEST) throw invalidInput(whole, TOO_DEEP);
    if (Array.isArray(part)) part.forEach((child, index) => lookInto(child, index, path));
    else {
      for (const key of Object.keys(part)) {
        refuseText(key, path);
        lookInto((part as Record<string, unknown>)[key], key, path);
      }
    }
  }

  function lookInto(child: unknown, key: string | number, path: (string | number)[]): void {
    if (typeof child !== 'string' && typeof child !== 'object') return;
    path.push(key);
    look(child, path);
    path.pop();
  }

  function refuseText(text: string, path: readonly (string | number)[]): void {
    const fault = textFault(text);
    if (fault !== undefined) throw invalidInput(fieldOf(path, whole), fault);
  }
}
