import { nameFault } from '../core/access.js';
import { PRIORITIES, TERMS, type Terms } from '../core/campaign.js';
import { invalidInput } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import { ACTIONS } from '../core/message.js';
import { DEALS } from '../core/plan/dealing.js';
import { shapeFault } from '../shapes/fault.js';
import { Compile, Type, type Static, type TSchema } from '../vendor/typebox.js';

const closed = { additionalProperties: false } as const;
/** Null and left out are the same. */
const maybe = <T extends TSchema>(shape: T) => Type.Optional(Type.Union([shape, Type.Null()]));
const id = () => Type.String({ maxLength: 40 });
const instant = () => Type.String({ maxLength: 40 });
const MOST_ACCOUNTS = 200;
const MOST_PEOPLE = 10_000;
const MOST_READY = 1_000;
const LONGEST_BODY = 200_000;

const terms = {
  accountIds: Type.Array(id(), { minItems: 1, maxItems: MOST_ACCOUNTS, uniqueItems: true }),
  timezone: Type.Optional(Type.Enum(['account', 'recipient'])),
  stopOnReply: Type.Optional(Type.Boolean()),
  startAt: maybe(instant()),
  endAt: maybe(instant()),
  dailyLimit: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  maxNewPerDay: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  prioritize: Type.Optional(Type.Enum([...PRIORITIES])),
  acceptanceDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  deal: Type.Optional(Type.Enum([...DEALS])),
};
const fields = { name: Type.String(), sequenceId: maybe(id()), ...terms };

export const CampaignInput = Type.Object(fields, closed);
export type CampaignInput = Static<typeof CampaignInput>;

export const CampaignPatch = Type.Partial(CampaignInput, closed);
export type CampaignPatch = Static<typeof CampaignPatch>;

/** What can be tried in a simulation before it is meant. */
export const CampaignChange = Type.Partial(Type.Object(terms, closed), closed);
export type CampaignChange = Static<typeof CampaignChange>;

export const PeopleInput = Type.Object(
  { contactIds: Type.Array(id(), { minItems: 1, maxItems: MOST_PEOPLE }) },
  closed,
);

const ReadyInput = Type.Object(
  {
    contactId: id(),
    subject: maybe(Type.String({ maxLength: 998 })),
    body: Type.String({ minLength: 1, maxLength: LONGEST_BODY }),
    action: Type.Optional(Type.Enum([...ACTIONS])),
    idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  closed,
);
export type ReadyInput = Static<typeof ReadyInput>;
export const ReadyMessagesInput = Type.Object(
  { messages: Type.Array(ReadyInput, { minItems: 1, maxItems: MOST_READY }) },
  closed,
);

const newShape = Compile(CampaignInput);
const patchShape = Compile(CampaignPatch);
const readyShape = Compile(ReadyMessagesInput);

/** What a campaign is told to be; what is left out of a change stays as it is. */
export interface CampaignWish {
  readonly name?: string;
  readonly sequenceId?: number | null;
  readonly accountIds?: readonly number[];
  readonly stopOnReply?: boolean;
  readonly terms: Partial<Terms>;
}

/** Throws `invalid_input` with the field. */
export function readNewCampaign(given: unknown): CampaignWish & { readonly name: string } {
  if (!newShape.Check(given)) throw shapeFault(newShape.Errors(given), 'campaign');
  return { ...wishOf(given), name: given.name };
}

export function readCampaignPatch(given: unknown): CampaignWish {
  if (!patchShape.Check(given)) throw shapeFault(patchShape.Errors(given), 'campaign');
  return wishOf(given);
}

export function readReadyMessages(given: unknown): readonly ReadyInput[] {
  if (!readyShape.Check(given)) throw shapeFault(readyShape.Errors(given), 'messages');
  return given.messages;
}

function wishOf(given: CampaignPatch): CampaignWish {
  const fault = given.name === undefined ? undefined : nameFault(given.name);
  if (fault !== undefined) throw invalidInput('name', fault);
  const { sequenceId, accountIds, stopOnReply, name } = given;
  return {
    ...(name !== undefined && { name }),
    ...(sequenceId !== undefined && {
      sequenceId: sequenceId === null ? null : idOf('sequence', 'sequenceId', sequenceId),
    }),
    ...(accountIds !== undefined && {
      accountIds: accountIds.map((each, n) => idOf('account', `accountIds.${n}`, each)),
    }),
    ...(stopOnReply !== undefined && { stopOnReply }),
    terms: termsOf(given),
  };
}

function termsOf(given: CampaignPatch): Partial<Terms> {
  const plain = ['timezone', 'dailyLimit', 'maxNewPerDay', 'prioritize', 'acceptanceDays', 'deal'] as const;
  const found: Record<string, unknown> = {};
  for (const field of plain) if (given[field] !== undefined) found[field] = given[field];
  for (const field of ['startAt', 'endAt'] as const)
    if (given[field] !== undefined) found[field] = instantOf(field, given[field]);
  return found;
}

function instantOf(field: string, text: string | null): number | null {
  if (text === null) return null;
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw invalidInput(field, 'is not an instant such as 2026-11-16T14:00:00.000Z');
  return at;
}

export function idOf(kind: 'sequence' | 'account' | 'contact', field: string, text: string): number {
  const number = parseId(kind, text);
  if (number === undefined) throw invalidInput(field, `is not the id of a known ${kind}`);
  return number;
}

/** What does not make sense together, whatever each says for itself. */
export function checkTerms(terms: Terms): void {
  const { startAt, endAt } = { ...TERMS, ...terms };
  if (startAt !== null && endAt !== null && startAt >= endAt)
    throw invalidInput('endAt', 'is not after startAt; nothing could leave');
}
