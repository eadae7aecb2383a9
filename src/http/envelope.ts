import { Type, type TSchema } from '../vendor/typebox.js';
import type { FailureCode } from './codes.js';

/** What every answer in JSON looks like: `data` of a success, or `error`. */
export const successOf = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data });

export const failureBy = (codes: readonly FailureCode[]) =>
  Type.Object({
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.Enum([...codes], { type: 'string' }),
      message: Type.String({ description: 'For people.' }),
      details: Type.Optional(
        Type.Object({
          field: Type.Optional(Type.String({ description: 'What of the request is at fault, as a path.' })),
          triesLeft: Type.Optional(
            Type.Integer({ description: 'How many more guesses are let through, once they are few.' }),
          ),
          waiting: Type.Optional(Type.Integer({ description: 'How many messages stand in the way.' })),
        }),
      ),
    }),
  });
