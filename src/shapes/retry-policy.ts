import { RETRY_LIMITS, RETRY_POLICY_NAMES } from '../core/retry.js';
import { Type } from '../vendor/typebox.js';

/** By name, or in full. */
export const RetryPolicyInput = Type.Union([
  Type.Enum([...RETRY_POLICY_NAMES]),
  Type.Object(
    {
      maxAttempts: Type.Integer({ minimum: 1, maximum: RETRY_LIMITS.maxAttempts }),
      delaysSeconds: Type.Array(Type.Integer({ minimum: 0, maximum: RETRY_LIMITS.delaySeconds }), {
        minItems: 1,
        maxItems: RETRY_LIMITS.maxAttempts,
      }),
    },
    { additionalProperties: false },
  ),
]);
