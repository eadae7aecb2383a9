import type { Account } from '../../api/types';
import { draftOf, isStored, KINDS, transportOf, type TransportDraft } from './transport-draft';

/** An account as a form holds it. */
export interface AccountDraft {
  readonly name: string;
  readonly type: 'email' | 'linkedin';
  readonly emailAddress: string;
  readonly displayName: string;
  readonly transport: TransportDraft;
  readonly maxConnections: number | null;
  readonly mailsInFlight: number | null;
  readonly dailyLimitEmails: number | null;
  readonly dailyLimitMessages: number | null;
  readonly dailyLimitConnections: number | null;
  readonly dailyLimitInmails: number | null;
}

export const NO_ACCOUNT: AccountDraft = {
  name: '',
  type: 'email',
  emailAddress: '',
  displayName: '',
  transport: { kind: 'smtp', values: {} },
  maxConnections: 5,
  mailsInFlight: 1,
  dailyLimitEmails: 20,
  dailyLimitMessages: 50,
  dailyLimitConnections: 20,
  dailyLimitInmails: 10,
};

export const accountDraft = (account: Account): AccountDraft => ({
  name: account.name,
  type: account.type,
  emailAddress: account.emailAddress ?? '',
  displayName: account.displayName ?? '',
  transport: draftOf(account.transport),
  maxConnections: account.maxConnections,
  mailsInFlight: account.mailsInFlight,
  dailyLimitEmails: account.dailyLimitEmails,
  dailyLimitMessages: account.dailyLimitMessages,
  dailyLimitConnections: account.dailyLimitConnections,
  dailyLimitInmails: account.dailyLimitInmails,
});

export const FIELD_LABELS: Record<keyof AccountDraft, string> = {
  name: 'Name',
  type: 'Type',
  emailAddress: 'Address',
  displayName: 'Sender name',
  transport: 'Transport',
  maxConnections: 'Connections',
  mailsInFlight: 'Mails in flight',
  dailyLimitEmails: 'Emails a day',
  dailyLimitMessages: 'Messages a day',
  dailyLimitConnections: 'Invitations a day',
  dailyLimitInmails: 'InMails a day',
};

const FIELDS = Object.keys(FIELD_LABELS) as (keyof AccountDraft)[];

/** The fields that differ. An empty secret is no change. */
export function changedFields(before: AccountDraft, after: AccountDraft): readonly (keyof AccountDraft)[] {
  return FIELDS.filter((field) =>
    field === 'transport'
      ? !isSameTransport(before.transport, after.transport)
      : before[field] !== after[field],
  );
}

function isSameTransport(before: TransportDraft, after: TransportDraft): boolean {
  if (before.kind !== after.kind) return false;
  return KINDS[after.kind].fields.every(
    ({ name }) => (before.values[name] ?? '') === (after.values[name] ?? ''),
  );
}

/** What the API is told: only what a person changed, so that two who change different things both get theirs. */
export function changeOf(
  fields: readonly (keyof AccountDraft)[],
  draft: AccountDraft,
  stored: Account | undefined,
): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueOf(field, draft, stored)]));
}

function valueOf(field: keyof AccountDraft, draft: AccountDraft, stored: Account | undefined): unknown {
  if (field === 'transport') return transportOf(draft.transport, stored?.transport);
  const value = draft[field];
  // Empty means: as it is unless something is said.
  return value === '' && field !== 'name' ? null : value;
}

export const keepsSecret = (draft: AccountDraft, stored: Account | undefined, field: string): boolean =>
  isStored(stored?.transport, draft.transport.kind, field);
