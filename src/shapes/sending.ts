import { ACTIONS } from '../core/message.js';
import { LIMIT_PERIODS } from '../core/sending.js';
import { Type } from '../vendor/typebox.js';

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

const MOST_INTERVALS = 24;
const Interval = Type.Unsafe<[opens: string, closes: string]>(
  Type.Array(Type.String({ maxLength: 5, examples: ['09:00'] }), { minItems: 2, maxItems: 2 }),
);
const Intervals = Type.Optional(Type.Array(Interval, { maxItems: MOST_INTERVALS }));
/** By weekday, Monday is 1. */
export const HoursShape = Type.Object(
  { 1: Intervals, 2: Intervals, 3: Intervals, 4: Intervals, 5: Intervals, 6: Intervals, 7: Intervals },
  closed,
);

export const rampUpFields = {
  start: Type.Integer({ minimum: 1, maximum: LARGEST_COUNT }),
  step: Count,
};

const Seconds = Type.Integer({ minimum: 0, maximum: DAY_SECONDS });
export const SpacingShape = Type.Object({ minSeconds: Seconds, maxSeconds: Seconds }, closed);

export const HolidaysShape = Type.Array(Type.String({ maxLength: 10 }), { maxItems: 366 });

export const LimitsShape = Type.Array(
  Type.Object({ action: Type.Enum([...ACTIONS]), period: Type.Enum([...LIMIT_PERIODS]), max: Count }, closed),
  { maxItems: ACTIONS.length * LIMIT_PERIODS.length },
);
