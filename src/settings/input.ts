import { nameFault } from '../core/access.js';
import type { DeliverySettings, WorkspaceProfile } from '../core/delivery-settings.js';
import { DOUBT_POLICIES } from '../core/message.js';
import { sendingFault, type SendingSettings } from '../core/sending.js';
import { invalidInput } from '../core/errors.js';
import { RetryPolicyInput } from '../shapes/retry-policy.js';
import {
  Count,
  HolidaysShape,
  HoursShape,
  rampUpFields,
  SpacingShape,
  windowFields,
} from '../shapes/sending.js';
import { Type, type Static } from '../vendor/typebox.js';

/** What is left out stays as it is. Each `check…` looks at the whole that comes of it. */
const closed = { additionalProperties: false } as const;
const { sendingDays, startHour, endHour, timezone } = windowFields;

const LONGEST_SECONDS = 366 * 86_400;
const Percent = Type.Number({ minimum: 0, maximum: 100 });

export const ProfileInput = Type.Object(
  {
    name: Type.Optional(Type.String()),
    postalAddress: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
    defaultLocale: Type.Optional(Type.String({ maxLength: 35 })),
  },
  closed,
);

const LaneInput = Type.Optional(
  Type.Object(
    {
      retryPolicy: Type.Optional(RetryPolicyInput),
      onDoubt: Type.Optional(Type.Enum([...DOUBT_POLICIES])),
      expirySeconds: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: LONGEST_SECONDS }), Type.Null()]),
      ),
      guarded: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
);

export const DeliveryInput = Type.Object(
  {
    lanes: Type.Optional(
      Type.Object({ outbox: LaneInput, campaign: LaneInput, notification: LaneInput }, closed),
    ),
    health: Type.Optional(
      Type.Object(
        {
          bouncePercent: Type.Optional(Percent),
          complaintPercent: Type.Optional(Percent),
          atLeast: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          minSends: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })),
        },
        closed,
      ),
    ),
    retentionDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
    auditDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  },
  closed,
);

export const SendingInput = Type.Object(
  {
    sendingDays: Type.Optional(sendingDays),
    startHour: Type.Optional(startHour),
    endHour: Type.Optional(endHour),
    // Null: back to days and whole hours.
    hours: Type.Optional(Type.Union([HoursShape, Type.Null()])),
    timezone: Type.Optional(timezone),
    dailyQuota: Type.Optional(Count),
    rampUpEnabled: Type.Optional(Type.Boolean()),
    rampUp: Type.Optional(Type.Object(rampUpFields, closed)),
    spacing: Type.Optional(SpacingShape),
    holidays: Type.Optional(HolidaysShape),
  },
  closed,
);

export type ProfileInput = Static<typeof ProfileInput>;
export type DeliveryInput = Static<typeof DeliveryInput>;
export type SendingInput = Static<typeof SendingInput>;

export function mergeProfile(present: WorkspaceProfile, given: ProfileInput): WorkspaceProfile {
  const merged = { ...present, ...given };
  refuse('name', nameFault(merged.name));
  // Lines are fine: it is an address as on a letter.
  refuse(
    'postalAddress',
    /[^\P{Cc}\n]/u.test(merged.postalAddress ?? '') ? 'holds a control character' : undefined,
  );
  return { ...merged, defaultLocale: canonicalLocale(merged.defaultLocale) };
}

export function mergeDelivery(present: DeliverySettings, given: DeliveryInput): DeliverySettings {
  const { lanes, health } = present;
  return {
    lanes: {
      outbox: { ...lanes.outbox, ...given.lanes?.outbox },
      campaign: { ...lanes.campaign, ...given.lanes?.campaign },
      notification: { ...lanes.notification, ...given.lanes?.notification },
    },
    health: { ...health, ...given.health },
    retentionDays: given.retentionDays ?? present.retentionDays,
    auditDays: given.auditDays ?? present.auditDays,
  };
}

export function mergeSending(present: SendingSettings, given: SendingInput): SendingSettings {
  const { hours, ...rest } = { ...present, ...given };
  const merged = { ...rest, ...(hours && { hours }) };
  const fault = sendingFault(merged);
  if (fault) throw invalidInput(fault.field, fault.text);
  return merged;
}

function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? badLocale();
  } catch {
    return badLocale();
  }
}

function badLocale(): never {
  throw invalidInput('defaultLocale', 'is not a language such as en or fr-CA');
}

function refuse(field: string, fault: string | undefined): void {
  if (fault !== undefined) throw invalidInput(field, fault);
}
