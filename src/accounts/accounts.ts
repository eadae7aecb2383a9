import { isDeepStrictEqual } from 'node:util';
import { shownDkim } from '../access/sealed-dkim.js';
import { isOfProcess, REMOVED_TRANSPORT } from '../access/sealed-transport.js';
import {
  checkAccountPatch,
  checkNewAccount,
  checkTransport,
  type AccountPatch,
  type NewAccountInput,
} from './input.js';
import { accountView, sendingOf, type AccountView } from './view.js';
import { readAccountTransport, unmasked, type AccountTransport } from '../core/account-transport.js';
import { domainOf, parseAddress } from '../core/address.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import type { SendError } from '../core/report.js';
import { ACTIONS_OF } from '../core/rules.js';
import type { RecordFinding } from '../core/sender-records.js';
import { limitsFault, type AccountSending } from '../core/sending.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import type { Page } from '../core/page.js';
import {
  addAccount,
  changePauseReason,
  editAccount,
  findOwnAccount,
  hasUnfinished,
  listAccounts,
  lockOwnAccount,
  removeAccount,
  type AccountRow,
  type Sealed,
} from '../store/scripts/account-edits.js';
import { countWaiting } from '../store/scripts/account-rest.js';
import { reopen } from '../store/scripts/openings.js';
import { pauseAccount, resumeAccount, type Account } from '../store/scripts/accounts.js';
import { listActivity, type Activity, type ActivityPlace } from '../store/scripts/activity.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { parseSmtpUrl } from '../transport/smtp/url.js';
import { readDkim, type DkimChange } from './dkim.js';
import { dealWithRest, stillWaiting, undecided, type Rest } from './rest.js';
import { NOT_SIGNED_HERE, type Transports } from './transports.js';

export interface PageOptions {
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Verification {
  readonly ok: boolean;
  /** What a send would meet now; null if nothing stands in its way. */
  readonly error: Pick<SendError, 'code' | 'message' | 'class'> | null;
  /** What receivers find in DNS about its address: SPF, DKIM, DMARC. Empty where nobody would look. */
  readonly records: readonly RecordFinding[];
}

const USUAL_PAGE = 50;
const PAGE_OPTIONS: OptionNames<PageOptions> = { limit: true, cursor: true };
const PAUSED_BY_PERSON = 'paused by a person';
/** What the process itself says about its own account. */
const OF_PROCESS = [
  'name',
  'type',
  'emailAddress',
  'displayName',
  'transport',
  'maxConnections',
  'mailsInFlight',
] as const;

/** Who a workspace sends as. Secrets go in, and never come out. */
export class Accounts {
  constructor(
    private readonly store: Store,
    private readonly standard: Pick<Account, 'workspaceId' | 'emailAddress'>,
    private readonly transports: Transports,
  ) {}

  /** Throws `invalid_input` with the field, `conflict` for a taken name, `invalid_config` without a secret to seal with. */
  async create(input: NewAccountInput): Promise<AccountView> {
    checkNewAccount(input);
    const { name, status, pauseReason } = input;
    const transport = unmasked(readAccountTransport(input.transport), () => undefined);
    const type = input.type ?? 'email';
    refuseMisfit(type, transport);
    refuseForeignLimits(type, input.limits);
    await this.#checkTransport(transport);
    const emailAddress = addressOf(input.emailAddress) ?? this.#usualAddress(type, transport);
    const dkim = await this.#readDkim(input.dkim, transport.kind, emailAddress);
    const row = {
      name,
      type,
      emailAddress,
      displayName: input.displayName ?? null,
      sending: JSON.stringify(sendingOf({}, input)),
    };
    const now = await this.store.now();
    const id = await this.store.transaction(() =>
      this.#add(row, { transport, dkim }, now, status, pauseReason),
    );
    return this.get(formatId('account', id));
  }

  *#add(
    row: Omit<AccountRow, keyof Sealed>,
    { transport, dkim }: { readonly transport: AccountTransport; readonly dkim: DkimChange },
    now: number,
    status: NewAccountInput['status'],
    pauseReason: NewAccountInput['pauseReason'],
  ): Script<number> {
    const { store, transports } = this;
    const seal = (id: number) => ({
      transport: transports.seal(id, transport),
      dkim: transports.sealDkim(id, dkim, null),
    });
    const id = yield* addAccount(store, this.standard.workspaceId, row, seal, now);
    if (status === 'paused') yield* pauseAccount(store, id, pauseReason ?? PAUSED_BY_PERSON, now);
    return id;
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<AccountView> {
    const account = await this.#find(id);
    return accountView(account, this.transports, await this.store.now());
  }

  /** How it sends, in a word. */
  transportKindOf(account: Account): string {
    return this.transports.shown(account).kind;
  }

  /** The oldest first. */
  async list(options: PageOptions = {}): Promise<Page<AccountView>> {
    knownOptions(options, PAGE_OPTIONS);
    const { limit = USUAL_PAGE, cursor } = options;
    const { store, transports } = this;
    const after = cursor === undefined ? 0 : (parseId('account', cursor) ?? badCursor());
    const accounts = await store.read(listAccounts(store, this.standard.workspaceId, after, limit));
    const now = await store.now();
    const items = accounts.map((account) => accountView(account, transports, now));
    return { items, nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** Only what is named changes; null sets back. A secret that comes back masked stays as it is. */
  async update(id: string, patch: AccountPatch): Promise<AccountView> {
    checkAccountPatch(patch);
    const account = await this.#find(id);
    if (isOfProcess(account)) this.#refuseOfProcess(account, patch);
    else if (patch.transport) await this.#checkTransport(readAccountTransport(patch.transport));
    const dkim = await this.#changedDkim(account, patch);
    const now = await this.store.now();
    await this.store.transaction(() => this.#change(account, patch, dkim, now));
    return this.get(id);
  }

  *#change({ id, workspaceId }: Account, patch: AccountPatch, dkim: DkimChange, now: number): Script<void> {
    const { store } = this;
    const { status, pauseReason } = patch;
    const account = (yield* lockOwnAccount(store, workspaceId, id)) ?? notFound(formatId('account', id));
    if (status === 'active' && account.pausedAt !== null) yield* resumeAccount(store, id, now);
    if (status === 'paused') {
      yield* pauseAccount(store, id, pauseReason ?? PAUSED_BY_PERSON, now);
      if (pauseReason) yield* changePauseReason(store, id, pauseReason);
    }
    yield* editAccount(store, account, this.#changed(account, patch, dkim), now);
    yield* reopen(store, { accountId: id });
  }

  /** Its kind is that of the change, so that a transport that does not sign and its key are not left together. */
  #changedDkim(account: Account, patch: AccountPatch): Promise<DkimChange> {
    const present = shownDkim(account);
    const kind = patch.transport?.kind ?? (JSON.parse(account.transport) as { kind: string }).kind;
    const wanted = patch.dkim === undefined && present ? {} : patch.dkim;
    return this.#readDkim(wanted, isOfProcess(account) ? 'process' : kind, account.emailAddress, present);
  }

  async #readDkim(
    given: AccountPatch['dkim'],
    kind: string,
    emailAddress: string,
    present: ReturnType<typeof shownDkim> = null,
  ): Promise<DkimChange> {
    if (given && !this.transports.signs(kind)) throw invalidInput('dkim', NOT_SIGNED_HERE);
    return readDkim(given, emailAddress, present);
  }

  #changed(account: Account, patch: AccountPatch, change: DkimChange): AccountRow {
    const dkim = this.transports.sealDkim(account.id, change, account.dkim);
    const type = patch.type ?? account.type;
    refuseForeignLimits(type, patch.limits);
    const { limits, ...present } = JSON.parse(account.sending) as AccountSending;
    // Limits are of what a type can do: with another one they begin anew.
    const kept = type === account.type && limits ? { ...present, limits } : present;
    const sending = JSON.stringify(sendingOf(kept, patch));
    if (isOfProcess(account)) return { ...account, sending, dkim };
    const stored = () => this.transports.open(account);
    const transport = patch.transport && unmasked(readAccountTransport(patch.transport), stored);
    const kind = transport?.kind ?? (JSON.parse(account.transport) as AccountTransport).kind;
    refuseMisfit(type, { kind });
    const emailAddress = addressOf(patch.emailAddress) ?? account.emailAddress;
    if (type === 'email' && emailAddress === '') throw invalidInput('emailAddress', 'is missing');
    return {
      name: patch.name ?? account.name,
      type,
      emailAddress,
      displayName: patch.displayName === undefined ? account.displayName : patch.displayName,
      transport: transport ? this.transports.seal(account.id, transport) : account.transport,
      sending,
      dkim,
    };
  }

  /**
   * Throws `conflict` for the process's own, while somebody has to decide about a message of it, and, if nobody says what
   * becomes of them, while messages wait for it. In steps: asked again after a crash, it goes on.
   */
  async remove(id: string, rest?: Rest): Promise<void> {
    const { store } = this;
    const account = await this.#find(id);
    if (isOfProcess(account))
      throw new PillarboxError('conflict', `${account.name} is the account of the process itself`);
    if (rest) await dealWithRest(store, account, rest, await this.#heir(account, rest));
    const now = await store.now();
    await store.transaction(() => this.#remove(account, now));
  }

  async #heir({ id, type }: Account, rest: Rest): Promise<Account | undefined> {
    if (rest === 'end') return undefined;
    const heir = await this.#find(rest.reassign).catch(() => undefined);
    if (!heir) throw invalidInput('rest', `there is no account ${rest.reassign.slice(0, 40)}`);
    if (heir.id === id) throw invalidInput('rest', 'names the account that is to be removed');
    if (heir.type !== type)
      throw invalidInput('rest', `names an account of type ${heir.type}; this one is of type ${type}`);
    return heir;
  }

  *#remove({ id, workspaceId }: Account, now: number): Script<void> {
    const { store } = this;
    const account = (yield* lockOwnAccount(store, workspaceId, id)) ?? notFound(formatId('account', id));
    const waiting = yield* countWaiting(store, id);
    if (waiting > 0) throw stillWaiting(account.name, waiting);
    if (yield* hasUnfinished(store, account)) throw undecided(account.name);
    // Its name is free again; what it sent is still known by it.
    const name = `${account.name} (removed ${formatId('account', id)})`;
    yield* removeAccount(store, account, { name, transport: REMOVED_TRANSPORT }, now);
  }

  /** Connects as a send would, without sending, and looks at what DNS says of its address. */
  async verify(id: string): Promise<Verification> {
    const account = await this.#find(id);
    const [error, records] = await Promise.all([
      this.transports.verify(account),
      account.emailAddress === ''
        ? []
        : this.transports.records(domainOf(account.emailAddress), shownDkim(account)),
    ]);
    if (!error) return { ok: true, error: null, records };
    const { code, message, class: kind } = error;
    return { ok: false, error: { code, message, class: kind }, records };
  }

  /** Its tries, newest first. */
  async activity(id: string, options: PageOptions = {}): Promise<Page<Activity>> {
    knownOptions(options, PAGE_OPTIONS);
    const { limit = USUAL_PAGE, cursor } = options;
    const account = await this.#find(id);
    const before = cursor === undefined ? undefined : readPlace(cursor);
    const items = await this.store.read(listActivity(this.store, account.id, before, limit));
    const last = items.at(-1);
    return { items, nextCursor: last && items.length === limit ? writePlace(last) : null };
  }

  #checkTransport(transport: AccountTransport): Promise<void> {
    return checkTransport(transport, this.transports.hostsFor(transport));
  }

  async #find(id: string): Promise<Account> {
    const number = parseId('account', id) ?? notFound(id);
    const account = await this.store.read(findOwnAccount(this.store, this.standard.workspaceId, number));
    return account ?? notFound(id);
  }

  /** What it answers may come back; anything else is the process's matter. */
  #refuseOfProcess(account: Account, patch: AccountPatch): void {
    const view = accountView(account, this.transports, 0);
    for (const field of OF_PROCESS) {
      const given = patch[field];
      if (given === undefined || isDeepStrictEqual(given, view[field])) continue;
      throw new PillarboxError(
        'conflict',
        `${field}: of the default account is as SMTP_URL and MAIL_FROM say; make another account`,
        { field },
      );
    }
  }

  /** Most servers know their users by address. Otherwise it writes as the default account does. */
  #usualAddress(type: 'email' | 'linkedin', transport: AccountTransport): string {
    if (type === 'linkedin') return '';
    const user = transport.kind === 'smtp' ? parseSmtpUrl(transport.url).credentials?.user : undefined;
    const parsed = parseAddress(user ?? '');
    return 'address' in parsed ? parsed.address : this.standard.emailAddress;
  }
}

function addressOf(email: string | null | undefined): string | undefined {
  const parsed = parseAddress(email ?? '');
  return 'address' in parsed ? parsed.address : undefined;
}

function refuseMisfit(type: 'email' | 'linkedin', { kind }: Pick<AccountTransport, 'kind'>): void {
  if (type === 'linkedin' && kind !== 'unipile') {
    throw invalidInput('type', `linkedin needs a transport of kind unipile, not ${kind}`);
  }
}

function refuseForeignLimits(type: 'email' | 'linkedin', limits: AccountPatch['limits']): void {
  const fault = limitsFault(limits ?? [], ACTIONS_OF[type]);
  if (fault) throw invalidInput(fault.field, fault.text);
}

const writePlace = ({ finishedAt, messageId, leaseId }: ActivityPlace): string =>
  [finishedAt, messageId, leaseId].join('-');

function readPlace(cursor: string): ActivityPlace {
  const [finishedAt, messageId, leaseId, ...rest] = /^[\d-]+$/.test(cursor)
    ? cursor.split('-').map(Number)
    : [];
  if (rest.length > 0 || ![finishedAt, messageId, leaseId].every(Number.isSafeInteger)) badCursor();
  return { finishedAt: finishedAt as number, messageId: messageId as number, leaseId: leaseId as number };
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no account ${id.slice(0, 40)}`);
}
