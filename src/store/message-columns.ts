import { canonicalAddress } from '../core/address.js';
import type { ErrorClass } from '../core/report.js';
import type { NewMessage } from './store.js';

/** 0 or 1: the one boolean that both databases understand. */
export type Flag = 0 | 1;

/** As PostgreSQL names it; SQLite keeps numbers and texts as they come. */
type ColumnType = 'int' | 'bigint' | 'text';

/** A column of `messages`: what it holds, and what is in it when a message is new. */
export interface Column<Value = unknown> {
  readonly type: ColumnType;
  /** Whether enqueue writes it: as the message has it, the same or else the time, or not at all. */
  readonly stored: 'as given' | 'or now' | 'by default';
  /** Of a new message; undefined: the database knows. */
  readonly of: (message: NewMessage) => Value | undefined;
  /** It says who it was: what stands in it instead when that is forgotten. */
  readonly blank?: '' | null;
}

/** From a property of a new message; `complete` wants one for each. */
interface Given<Property extends keyof NewMessage, Value> extends Column<Value> {
  readonly property: Property;
}

const converted = <Property extends keyof NewMessage, Value>(
  type: ColumnType,
  property: Property,
  convert: (value: NewMessage[Property]) => Value,
): Given<Property, Value> => ({
  ...{ type, property, stored: 'as given' },
  of: (message) => convert(message[property]),
});

const copied = <Property extends keyof NewMessage>(type: ColumnType, property: Property) =>
  converted(type, property, (value) => value);

/** What most doors have nothing to say about. */
const orNull = <
  Property extends 'campaignId' | 'contactId' | 'sequenceId' | 'sequenceVersion' | 'stepNumber' | 'closesAt',
>(
  type: ColumnType,
  property: Property,
): Given<Property, number | null> => converted(type, property, (value): number | null => value ?? null);

/** Null: now, by the database's clock. */
const orNow = <Property extends 'dueAt'>(property: Property): Given<Property, number> => ({
  ...{ type: 'bigint', property, stored: 'or now' },
  of: (message) => message[property] ?? undefined,
});

const now: Column<number> = { type: 'bigint', stored: 'or now', of: () => undefined };

const drawn: Column<number> = { type: 'bigint', stored: 'by default', of: () => undefined };

/** Written when there is something to say; until then the database's default, which is `first`. */
const later = <Value>(type: ColumnType, first: Value): Column<Value> => ({
  ...{ type, stored: 'by default' },
  of: () => first,
});

/** Says who it was. */
const personal = <Of extends Column>(column: Of, blank: '' | null = null): Of => ({ ...column, blank });

/** The spelling that was given, if it is not the canonical one: nearly always null. */
const otherSpelling = (address: string): string | null =>
  canonicalAddress(address) === address ? null : address;

/** Does not compile while a property of a new message has no column. Its mail is in `contents`. */
const complete = <Columns extends Record<string, Column>>(
  columns: Columns &
    Record<`no column of ${Exclude<keyof NewMessage, 'mail' | PropertyOf<Columns>>}`, Column>,
): Columns => columns;

type PropertyOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Given<infer Property, unknown> ? Property : never;
}[keyof Columns];

/**
 * Who and what: every column of `messages`, once. The statements that store a message and that claim it, on either
 * database, and the type of the table are made of this list. What is written `later` stays as it is on the good path.
 */
export const MESSAGE_COLUMNS = complete({
  id: drawn,
  workspace_id: copied('int', 'workspaceId'),
  channel_id: copied('int', 'channelId'),
  lane: copied('text', 'lane'),
  action: copied('text', 'action'),
  idempotency_key: copied('text', 'idempotencyKey'),
  body_hash: copied('text', 'bodyHash'),
  /** In its canonical form; before version 12 as it was given. */
  recipient: personal(converted('text', 'recipient', canonicalAddress), ''),
  /** As it was given, where that is another spelling. */
  recipient_given: personal(converted('text', 'recipient', otherSpelling)),
  recipient_name: personal(copied('text', 'recipientName')),
  sender: copied('text', 'sender'),
  subject: personal(copied('text', 'subject')),
  scheduled_for: orNow('dueAt'),
  expires_at: copied('bigint', 'expiresAt'),
  /** A policy's name, or a policy of its own as JSON. */
  retry_policy: copied('text', 'retryPolicy'),
  doubt_policy: copied('text', 'doubtPolicy'),
  transactional: converted('int', 'transactional', (yes): Flag => (yes ? 1 : 0)),
  trace_id: copied('text', 'traceId'),
  campaign_id: orNull('bigint', 'campaignId'),
  contact_id: orNull('bigint', 'contactId'),
  sequence_id: orNull('bigint', 'sequenceId'),
  sequence_version: orNull('int', 'sequenceVersion'),
  step_number: orNull('int', 'stepNumber'),
  /** The end of the recipient's window that it was planned into. */
  closes_at: orNull('bigint', 'closesAt'),
  created_at: now,
  /** By which the call that stored it finds it again if the answer was lost; PostgreSQL's enqueue alone writes it. */
  mark: later<number | null>('bigint', null),
  /** Of a notification: what it tells, and whom. The fan-out alone writes them. */
  event_id: later<number | null>('bigint', null),
  subscription_id: later<number | null>('bigint', null),
  thread_id: personal(later<string | null>('text', null)),
  attempts: later('int', 0),
  doubts: later('int', 0),
  lease_losses: later('int', 0),
  lone_losses: later('int', 0),
  dated_at: later<number | null>('bigint', null),
  error_class: later<ErrorClass | null>('text', null),
  error_code: later<string | null>('text', null),
  /** Servers quote addresses. */
  error: personal(later<string | null>('text', null)),
});

type Columns = typeof MESSAGE_COLUMNS;

export type MessagesTable = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** What is in the row of a new message; `now` is what the database's clock says. */
export const firstValue = ({ of }: Column, message: NewMessage, now: number): unknown => {
  const value = of(message);
  return value === undefined ? now : value;
};

export interface StoredColumn extends Column {
  readonly name: string;
}

/** What enqueue writes, in this order. */
export const STORED_COLUMNS: readonly StoredColumn[] = Object.entries<Column>(MESSAGE_COLUMNS)
  .filter(([, { stored }]) => stored !== 'by default')
  .map(([name, column]) => ({ name, ...column }));

/** What is written over everything that says who it was. */
export const BLANKED = Object.fromEntries(
  Object.entries<Column>(MESSAGE_COLUMNS).flatMap(([name, { blank }]) =>
    blank === undefined ? [] : [[name, blank]],
  ),
) as Partial<MessagesTable>;

/** What a message's place in `due` repeats of its row: whatever looks for due messages need not look at the messages. */
export const COPIED_INTO_DUE = ['workspace_id', 'channel_id', 'expires_at', 'closes_at'] as const;
