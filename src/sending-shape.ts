import { Type } from './vendor/typebox.js';

/** The shapes of what people say about when mail may leave. How they fit together is decided by `core/sending.ts`. */
const closed = { additionalProperties: false } as const;
const LARGEST_COUNT = 1_000_000;
const DAY_SECONDS = 86_400;

export const Count = Type.Integer({ minimum: 0, maximum: LARGEST_COUNT });

export const windowFields = {
  sendingDays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 }),
  startHour: Type.Integer({ minimum: 0, maximum: 23 }),
  endHour: Type.Integer({ minimum: 1, maximum: 24 }),
  timezone: Type.String({ maxLength: 64 }),
};

export const rampUpFields = {
  start: Type.Integer({ minimum: 1, maximum: LARGEST_COUNT }),
  step: Count,
};

const Seconds = Type.Integer({ minimum: 0, maximum: DAY_SECONDS });
export const SpacingShape = Type.Object({ minSeconds: Seconds, maxSeconds: Seconds }, closed);

export const HolidaysShape = Type.Array(Type.String({ maxLength: 10 }), { maxItems: 366 });
