import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import type { LaneDelivery } from '../core/delivery-settings.js';
import { invalidInput } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import type { Mail, Mailbox } from '../core/mail.js';
import type { Action } from '../core/message.js';
import { writeRetryPolicy } from '../core/retry.js';
import { ensureChannel, findAccount, presentAccounts, type Account } from '../store/scripts/accounts.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';

/** The one thing by which a test differs from what it tests. */
const MARK = { 'X-Pillarbox-Test': '1' };
const NETWORK_ID = /^[!-~]{1,200}$/;

export interface TestSend {
  readonly action: Action;
  readonly mail: Mail;
  readonly account: Account;
  /** An address; on LinkedIn the id of somebody. */
  readonly to: string;
  /** What holds for single mails. */
  readonly lane: LaneDelivery;
  /** Knows again who was erased. */
  readonly door: (
    addresses: readonly string[],
    write: (script: Script<void>) => Promise<unknown>,
  ) => undefined | Promise<void>;
}

/** A single mail like any other: it has no key, counts against nothing, and leaves at once. */
export async function sendTest(store: Store, test: TestSend): Promise<{ readonly id: string }> {
  const { action, account, lane, door } = test;
  const mail = { ...test.mail, ...readerOf(action, test.to), headers: { ...test.mail.headers, ...MARK } };
  await door([mail.to.email], (script) => store.transaction(script));
  const channelId = await store.transaction(() => ensureChannel(store, account.id, action, 'outbox'));
  const [stored] = await store.enqueue([
    {
      ...{ workspaceId: account.workspaceId, channelId, lane: 'outbox', action },
      ...{ idempotencyKey: null, bodyHash: null, traceId: null, dueAt: null, expiresAt: null },
      ...{ recipient: mail.to.email, recipientName: mail.to.name ?? null, sender: account.emailAddress },
      subject: mail.subject,
      retryPolicy: writeRetryPolicy(lane.retryPolicy),
      doubtPolicy: lane.onDoubt,
      // Whoever has tried the link of a test must still get the next one.
      transactional: true,
      mail: JSON.stringify(mail),
    },
  ]);
  if (!stored) throw new Error('the store gave no answer for a mail');
  return { id: formatId('message', stored.id) };
}

function readerOf(action: Action, to: string): Pick<Mail, 'to' | 'linkedinId'> {
  if (action !== 'email') {
    if (!NETWORK_ID.test(to)) throw invalidInput('to', 'is not the LinkedIn id of somebody');
    return { to: { email: to }, linkedinId: to };
  }
  const parsed = parseAddress(to);
  if ('fault' in parsed) throw invalidInput('to', ADDRESS_FAULT_TEXT[parsed.fault]);
  return { to: { email: parsed.address } };
}

export const mailboxOf = ({ emailAddress, displayName }: Account): Mailbox => ({
  email: emailAddress,
  ...(displayName !== null && { name: displayName }),
});

export async function firstSender(store: Store, workspaceId: number): Promise<Account | undefined> {
  const present = await store.read(presentAccounts(store, workspaceId));
  return present.find(({ type }) => type === 'email');
}

/** The account that is meant, or the first one that sends email. Throws `invalid_input`. */
export async function senderOf(
  store: Store,
  workspaceId: number,
  accountId: string | undefined,
): Promise<Account> {
  if (accountId === undefined) {
    const first = await firstSender(store, workspaceId);
    if (!first) throw invalidInput('accountId', 'is needed: there is no account that sends email');
    return first;
  }
  const id = parseId('account', accountId);
  const account = id === undefined ? undefined : await store.read(findAccount(store, id));
  if (account?.workspaceId !== workspaceId) throw invalidInput('accountId', 'is not known');
  if (account.type !== 'email') throw invalidInput('accountId', 'is not an account that sends email');
  return account;
}
