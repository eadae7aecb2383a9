import { ADDRESS_FAULT_TEXT, canonicalAddress, parseAddress } from '../core/address.js';
import { invalidInput } from '../core/errors.js';
import { parseInstant } from '../core/instant.js';
import { canonicalLocale } from '../core/locale.js';
import { windowFault, type Preferences } from '../core/preferences.js';
import { isTimezone } from '../core/sending.js';
import { EMAIL_CONTACT, SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../core/subscription.js';
import { shapeFault } from '../shapes/fault.js';
import { fieldOf, plainCopy, textFault } from '../shapes/plain.js';
import { Compile, Type, type Static, type TSchema } from '../vendor/typebox.js';

const closed = { additionalProperties: false } as const;
/** Null and left out are the same in what is new; in a change null takes away. */
const maybe = <T extends TSchema>(shape: T) => Type.Optional(Type.Union([shape, Type.Null()]));
const instant = () => Type.String({ maxLength: 40 });
const LONGEST_NAME = 200;
const LONGEST_PAYLOAD = 256 * 1024;
/** With all that stands beside the payload. */
const LONGEST_EVENT = LONGEST_PAYLOAD + 8 * 1024;

const DeliveryWindow = Type.Object(
  {
    startMinutes: Type.Integer({ minimum: 0, maximum: 1_439 }),
    endMinutes: Type.Integer({ minimum: 0, maximum: 1_440 }),
  },
  closed,
);

const PreferencesInput = Type.Object(
  {
    notifyOn: maybe(
      Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_NAME }), { minItems: 1, maxItems: 50 }),
    ),
    maxNotifications: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    deliveryWindow: maybe(DeliveryWindow),
    snoozeUntil: maybe(instant()),
  },
  closed,
);

const changeable = {
  status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATUSES])),
  name: maybe(Type.String({ maxLength: LONGEST_NAME })),
  locale: maybe(Type.String({ maxLength: 40 })),
  timezone: maybe(Type.String({ maxLength: 64 })),
  preferences: maybe(PreferencesInput),
};

export const SubscriptionInput = Type.Object(
  {
    topic: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
    contactType: Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z][a-z0-9_-]*$' }),
    contactValue: Type.String({ minLength: 1, maxLength: 320 }),
    ...changeable,
  },
  closed,
);
export type SubscriptionInput = Static<typeof SubscriptionInput>;

export const SubscriptionPatch = Type.Object(changeable, closed);
export type SubscriptionPatch = Static<typeof SubscriptionPatch>;

export const EventInput = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
    topic: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
    dedupeKey: maybe(Type.String({ minLength: 1, maxLength: 255 })),
    traceId: maybe(Type.String({ minLength: 1, maxLength: 255 })),
    eventAt: maybe(instant()),
    template: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 100 }),
        version: maybe(Type.String({ minLength: 1, maxLength: 100 })),
      },
      closed,
    ),
    payload: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
);
export type EventInput = Static<typeof EventInput>;

const newShape = Compile(SubscriptionInput);
const patchShape = Compile(SubscriptionPatch);
const eventShape = Compile(EventInput);

/** What is left out stays as it is, or is as usual. */
export interface SubscriptionWish {
  readonly status?: SubscriptionStatus;
  readonly name?: string | null;
  readonly locale?: string | null;
  readonly timezone?: string | null;
  readonly preferences?: Partial<Preferences>;
}

export interface NewSubscription extends SubscriptionWish {
  readonly topic: string;
  readonly contactType: string;
  /** In its canonical form; and as it was given, where that is another spelling. */
  readonly contact: string;
  readonly contactGiven: string | null;
}

/** Throws `invalid_input` with the field. */
export function readNewSubscription(given: unknown): NewSubscription {
  if (!newShape.Check(given)) throw shapeFault(newShape.Errors(given), 'subscription');
  const { topic, contactType, contactValue } = given;
  wellFormed('topic', topic);
  return { topic, contactType, ...contactOf(contactType, contactValue), ...wishOf(given) };
}

export function readSubscriptionPatch(given: unknown): SubscriptionWish {
  if (!patchShape.Check(given)) throw shapeFault(patchShape.Errors(given), 'subscription');
  return wishOf(given);
}

export interface NewEventWish {
  readonly type: string;
  readonly topic: string;
  readonly dedupeKey: string | null;
  readonly traceId: string | null;
  readonly eventAt: number | null;
  readonly template: { readonly id: string; readonly version: string | null };
  /** JSON. */
  readonly payload: string;
  readonly snapshot: string | null;
  readonly statusAfter: string | null;
}

/** Throws `invalid_input` with the field. A program may hand in anything: what is looked at is a copy. */
export function readEventInput(input: unknown): NewEventWish {
  const read = plainCopy(input, LONGEST_EVENT);
  if ('fault' in read) throw invalidInput(fieldOf(read.fault.path, 'event'), read.fault.text);
  const given = read.value;
  if (!eventShape.Check(given)) throw shapeFault(eventShape.Errors(given), 'event');
  const { type, topic, dedupeKey = null, traceId = null, eventAt = null, template, payload } = given;
  const json = JSON.stringify(payload);
  if (json.length > LONGEST_PAYLOAD)
    throw invalidInput(
      'payload',
      `is longer than ${LONGEST_PAYLOAD.toLocaleString('en')} characters as JSON`,
    );
  return {
    ...{ type, topic, dedupeKey, traceId, payload: json },
    eventAt: eventAt === null ? null : instantOf('eventAt', eventAt),
    template: { id: template.id, version: template.version ?? null },
    ...stateIn(payload),
  };
}

/** What the histories of subscriptions keep of it. */
function stateIn(payload: Readonly<Record<string, unknown>>): Pick<NewEventWish, 'snapshot' | 'statusAfter'> {
  const { statusBefore, statusAfter } = payload;
  const said = Object.entries({ statusBefore, statusAfter }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= LONGEST_NAME,
  );
  return {
    snapshot: said.length === 0 ? null : JSON.stringify(Object.fromEntries(said)),
    statusAfter: typeof statusAfter === 'string' ? statusAfter : null,
  };
}

function contactOf(contactType: string, value: string): Pick<NewSubscription, 'contact' | 'contactGiven'> {
  if (contactType !== EMAIL_CONTACT) {
    wellFormed('contactValue', value);
    return { contact: value, contactGiven: null };
  }
  const parsed = parseAddress(value);
  if ('fault' in parsed) throw invalidInput('contactValue', ADDRESS_FAULT_TEXT[parsed.fault]);
  const contact = canonicalAddress(parsed.address);
  return { contact, contactGiven: contact === parsed.address ? null : parsed.address };
}

function wishOf({ status, name, locale, timezone, preferences }: SubscriptionPatch): SubscriptionWish {
  if (name != null) wellFormed('name', name);
  return {
    ...(status !== undefined && { status }),
    ...(name !== undefined && { name }),
    ...(locale !== undefined && { locale: locale === null ? null : localeOf(locale) }),
    ...(timezone !== undefined && { timezone: timezone === null ? null : zoneOf(timezone) }),
    ...(preferences !== undefined && { preferences: preferencesOf(preferences) }),
  };
}

/** Null takes all of them away. */
function preferencesOf(given: Static<typeof PreferencesInput> | null): Partial<Preferences> {
  if (given === null)
    return { notifyOn: null, maxNotifications: null, deliveryWindow: null, snoozeUntil: null };
  const { notifyOn, maxNotifications, deliveryWindow, snoozeUntil } = given;
  for (const value of notifyOn ?? []) wellFormed('preferences.notifyOn', value);
  const fault = deliveryWindow ? windowFault(deliveryWindow) : undefined;
  if (fault !== undefined) throw invalidInput('preferences.deliveryWindow', fault);
  return {
    ...(notifyOn !== undefined && { notifyOn }),
    ...(maxNotifications !== undefined && { maxNotifications }),
    ...(deliveryWindow !== undefined && { deliveryWindow }),
    ...(snoozeUntil !== undefined && {
      snoozeUntil: snoozeUntil === null ? null : instantOf('preferences.snoozeUntil', snoozeUntil),
    }),
  };
}

function localeOf(tag: string): string {
  const locale = canonicalLocale(tag);
  if (locale === undefined) throw invalidInput('locale', 'is not a language tag such as en or fr-CA');
  return locale;
}

function zoneOf(zone: string): string {
  if (!isTimezone(zone)) throw invalidInput('timezone', 'is not a time zone such as Europe/Paris');
  return zone;
}

function instantOf(field: string, text: string): number {
  const read = parseInstant(text);
  if ('fault' in read) throw invalidInput(field, read.fault);
  return read.instant;
}

/** What somebody looks for: a text that the database can compare. Throws `invalid_input` with the field. */
export function searchable(field: string, text: string): string {
  wellFormed(field, text);
  return text;
}

function wellFormed(field: string, text: string): void {
  const fault = textFault(text);
  if (fault !== undefined) throw invalidInput(field, fault);
}
