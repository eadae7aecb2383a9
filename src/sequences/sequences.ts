import type { Contact } from '../core/contact.js';
import type { LaneDelivery, WorkspaceProfile } from '../core/delivery-settings.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { mailboxText, oneClick } from '../core/mail-head.js';
import type { Mail } from '../core/mail.js';
import { readLimit, type Page } from '../core/page.js';
import { accountTypeOf, type SequenceStep } from '../core/sequence.js';
import type { Links } from '../links/links.js';
import { findAccount, presentAccounts, type Account } from '../store/scripts/accounts.js';
import { readContacts } from '../store/scripts/contacts.js';
import { readStepResults, type StepResults } from '../store/scripts/sequence-figures.js';
import {
  addSequence,
  campaignsOfSequence,
  deleteSequence,
  listSequences,
  listVersions,
  lockSequence,
  readSequence,
  readSequenceVersion,
  saveSequence,
  type Sequence as StoredSequence,
  type SequenceHead as StoredHead,
  type VersionHead,
} from '../store/scripts/sequences.js';
import { readTimezone } from '../store/scripts/settings.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import type { RenderPool } from '../templates/render-pool.js';
import { checkOf, type SequenceCheck } from './check.js';
import { composeStep } from './compose.js';
import { readSequenceInput, readSteps, wholeSteps, type SequenceInput, type StepsInput } from './input.js';
import { knownOfPeople } from './known.js';
import { sendTest, type TestSend } from '../templates/test-send.js';
import { judgeSteps } from './verdict.js';
import { neededOf, walkPeople, type PeopleWalk } from './walk.js';

export interface SequenceHead extends Omit<StoredHead, 'id'> {
  readonly id: string;
}

export interface Sequence extends SequenceHead {
  readonly steps: readonly SequenceStep[];
}

export interface SequenceListOptions {
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** A part of the name, in whatever case. */
  readonly q?: string | undefined;
}

/** Something that only some people have, and the sequences that say it. */
export interface AttributeInUse {
  readonly name: string;
  readonly sequences: readonly Pick<SequenceHead, 'id' | 'name'>[];
}

const ATTRIBUTE = 'contact.attributes.';
/** Newest first. Whoever has more writes to people by the newest. */
const MOST_LOOKED_AT = 200;

export interface SaveOptions {
  /** Which version is meant to be replaced: if another one is there by now, nothing is changed. */
  readonly version?: number | undefined;
}

export interface PreviewInput {
  /** Its `order`. */
  readonly step: number;
  readonly contactId: string;
  /** Default: the first account that can send it. */
  readonly accountId?: string | undefined;
  /** As they would be, instead of those that are saved. */
  readonly steps?: StepsInput['steps'] | undefined;
}

export interface PeopleInput extends StepsInput {
  /** Whose neighbours are asked for; default: the newest. */
  readonly contactId?: string | undefined;
  /** Only those who lack something. */
  readonly lacking?: boolean | undefined;
}

export interface TestInput extends PreviewInput {
  readonly accountId: string;
  /** An address of one's own; on LinkedIn an id. */
  readonly to: string;
}

export interface Preview {
  readonly subject: string;
  /** Null on LinkedIn. */
  readonly html: string | null;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: string;
  readonly accountId: string;
}

/** What a workspace and its process bring along. */
export interface SequenceSurroundings {
  readonly pool: RenderPool;
  readonly links: Links;
  readonly profile: () => Promise<WorkspaceProfile>;
  readonly lane: () => LaneDelivery | Promise<LaneDelivery>;
  readonly door: TestSend['door'];
}

const LIST_OPTIONS: OptionNames<SequenceListOptions> = { limit: true, cursor: true, q: true };
const SAVE_OPTIONS: OptionNames<SaveOptions> = { version: true };
const NEWEST = Number.MAX_SAFE_INTEGER;
/** Both databases count as far. */
const MOST_VERSIONS = 2 ** 31 - 1;

/** What people are written to, step by step. Saving one makes a new version; what was launched keeps its own. */
export class Sequences {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly around: SequenceSurroundings,
  ) {}

  /** Throws `invalid_input` with the field, also for a template that does not make sense. Then nothing is stored. */
  async create(input: SequenceInput): Promise<Sequence> {
    const { store, workspaceId } = this;
    const sequence = readSequenceInput(input);
    await this.#refuseFaults(input, sequence.steps);
    const now = await store.now();
    return shown(await store.transaction(() => addSequence(store, workspaceId, sequence, now)));
  }

  /** Newest first. */
  async list(options: SequenceListOptions = {}): Promise<Page<SequenceHead>> {
    knownOptions(options, LIST_OPTIONS);
    const limit = readLimit(options.limit);
    const before = options.cursor === undefined ? NEWEST : parseId('sequence', options.cursor);
    if (before === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
    const found = await this.store.read(
      listSequences(this.store, this.workspaceId, { before, limit, q: options.q?.trim() }),
    );
    const last = found.length === limit ? found.at(-1) : undefined;
    return { items: found.map(shown), nextCursor: last ? formatId('sequence', last.id) : null };
  }

  /** Its newest version. Throws `not_found`. */
  async get(id: string): Promise<Sequence> {
    return shown(await this.#find(id));
  }

  /** How many mails of each step have left, and how many people replied to it. Throws `not_found`. */
  async results(id: string): Promise<StepResults> {
    const { store, workspaceId } = this;
    const sequence = await this.#find(id);
    return store.read(readStepResults(store, workspaceId, sequence.id));
  }

  /** Newest first. Throws `not_found`. */
  async versions(
    id: string,
    options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
  ): Promise<Page<VersionHead>> {
    knownOptions(options, { limit: true, cursor: true });
    const limit = readLimit(options.limit);
    const before = options.cursor === undefined ? MOST_VERSIONS : Number(options.cursor);
    if (!Number.isInteger(before) || before < 1 || before > MOST_VERSIONS)
      throw invalidInput('cursor', 'is not a cursor that a list gave');
    await this.#find(id);
    const number = parseId('sequence', id) ?? 0;
    const items = await this.store.read(listVersions(this.store, number, { before, limit }));
    const last = items.length === limit ? items.at(-1) : undefined;
    return { items, nextCursor: last ? String(last.version) : null };
  }

  /** As it was then. Throws `not_found`. */
  async version(id: string, version: number): Promise<Sequence> {
    const { store, workspaceId } = this;
    const number = parseId('sequence', id);
    const isOne = Number.isInteger(version) && version >= 1 && version <= MOST_VERSIONS;
    const found =
      number === undefined || !isOne
        ? undefined
        : await store.read(readSequenceVersion(store, workspaceId, number, version));
    return shown(found ?? none());
  }

  /** As `create`; steps that are the same make no new version. Throws `conflict` if somebody else has saved it since. */
  async save(id: string, input: SequenceInput, options: SaveOptions = {}): Promise<Sequence> {
    knownOptions(options, SAVE_OPTIONS);
    const { store } = this;
    const { version } = options;
    await this.#find(id);
    const sequence = readSequenceInput(input);
    await this.#refuseFaults(input, sequence.steps);
    const now = await store.now();
    const lock = () => this.#lock(id);
    return shown(
      await store.transaction(function* () {
        const known = yield* lock();
        if (version !== undefined && version !== known.version) throw changedSince(known.version);
        return yield* saveSequence(store, known, sequence, now);
      }),
    );
  }

  /** Throws `not_found`, and `conflict` if a campaign says it. */
  async remove(id: string): Promise<Sequence> {
    const { store, workspaceId } = this;
    const lock = () => this.#lock(id);
    return shown(
      await store.transaction(function* () {
        const known = yield* lock();
        const campaigns = yield* campaignsOfSequence(store, workspaceId, known.id);
        if (campaigns > 0) throw inUse(campaigns);
        yield* deleteSequence(store, known.id);
        return known;
      }),
    );
  }

  /** What is wrong with these steps, and what may be put into them. Stores nothing. */
  async check(input: StepsInput): Promise<SequenceCheck> {
    const steps = wholeSteps(input);
    const [verdict, known] = await Promise.all([
      judgeSteps(this.around.pool, steps, this.workspaceId),
      knownOfPeople(this.store, this.workspaceId),
    ]);
    return checkOf(steps, verdict, known);
  }

  /** Who comes before and after somebody for whom these steps are shown, and who lacks something. */
  async people(input: PeopleInput): Promise<PeopleWalk> {
    const { contactId, lacking = false } = input;
    const id = contactId === undefined ? undefined : parseId('contact', contactId);
    if (contactId !== undefined && id === undefined) throw invalidInput('contactId', 'is not known');
    const steps = wholeSteps(input);
    const { variables } = await judgeSteps(this.around.pool, steps, this.workspaceId);
    const needed = [...new Set(neededOf(variables).map(({ name }) => name))];
    return walkPeople(this.store, this.workspaceId, { needed, contactId: id, onlyLacking: lacking });
  }

  /** What of people's own the newest sequences say, each with those that do. */
  async attributes(): Promise<readonly AttributeInUse[]> {
    const { items } = await this.list({ limit: MOST_LOOKED_AT });
    const found = new Map<string, Pick<SequenceHead, 'id' | 'name'>[]>();
    for (const { id, name } of items) {
      const saved = await this.store.read(
        readSequence(this.store, this.workspaceId, parseId('sequence', id) ?? 0),
      );
      const { variables } = await judgeSteps(this.around.pool, saved?.steps ?? [], this.workspaceId);
      const names = variables.flatMap(({ name: read }) =>
        read.startsWith(ATTRIBUTE) ? [read.slice(ATTRIBUTE.length)] : [],
      );
      for (const each of new Set(names)) found.set(each, [...(found.get(each) ?? []), { id, name }]);
    }
    return [...found].map(([name, sequences]) => ({ name, sequences }));
  }

  /** One step as one person would get it. Throws `invalid_input`, also if he would not. Sends nothing. */
  async preview(id: string, input: PreviewInput): Promise<Preview> {
    const { mail, account } = await this.#compose(id, input);
    return previewOf(mail, account);
  }

  /** Sends what the preview shows, to somebody else, at once; marked by `X-Pillarbox-Test: 1`. */
  async test(id: string, input: TestInput): Promise<{ readonly id: string }> {
    const { mail, account, step } = await this.#compose(id, input);
    const { lane, door } = this.around;
    return sendTest(this.store, {
      action: step.action,
      mail,
      account,
      to: input.to,
      lane: await lane(),
      door,
    });
  }

  async #compose(
    id: string,
    input: PreviewInput,
  ): Promise<{ readonly mail: Mail; readonly account: Account; readonly step: SequenceStep }> {
    const { store, workspaceId, around } = this;
    const saved = await this.#find(id);
    const { name } = saved;
    const steps = input.steps === undefined ? saved.steps : readSteps({ steps: input.steps });
    const step = steps.find(({ order }) => order === input.step);
    if (!step) throw invalidInput('step', `is not one of the ${steps.length} steps of this sequence`);
    const contact = await this.#contact(input.contactId);
    const account = await this.#account(input.accountId, step);
    const { postalAddress, defaultLocale } = await around.profile();
    const composed = await composeStep(around.pool, {
      ...{ step, steps, contact, account, campaign: { id: null, name }, postalAddress },
      unsubscribeUrl: around.links.sampleUrl(workspaceId, contact.id),
      locale: defaultLocale,
      timezone: await store.read(readTimezone(store, workspaceId)),
    });
    if ('fault' in composed) throw invalidInput('contactId', composed.fault.message);
    return { mail: composed.mail, account, step };
  }

  async #contact(contactId: string): Promise<Contact> {
    const id = parseId('contact', contactId);
    const [contact] =
      id === undefined ? [] : await this.store.read(readContacts(this.store, this.workspaceId, [id]));
    if (!contact) throw invalidInput('contactId', 'is not known');
    return contact;
  }

  async #account(accountId: string | undefined, { action }: SequenceStep): Promise<Account> {
    const { store, workspaceId } = this;
    const type = accountTypeOf(action);
    const kind = type === 'email' ? 'that sends email' : 'at LinkedIn';
    if (accountId === undefined) {
      const present = await store.read(presentAccounts(store, workspaceId));
      const account = present.find((each) => each.type === type);
      if (!account) throw invalidInput('accountId', `is needed: there is no account ${kind}`);
      return account;
    }
    const id = parseId('account', accountId);
    const account = id === undefined ? undefined : await store.read(findAccount(store, id));
    if (account?.workspaceId !== workspaceId) throw invalidInput('accountId', 'is not known');
    if (account.type !== type) throw invalidInput('accountId', `is not an account ${kind}`);
    return account;
  }

  async #find(id: string): Promise<StoredSequence> {
    const number = parseId('sequence', id);
    const found =
      number === undefined
        ? undefined
        : await this.store.read(readSequence(this.store, this.workspaceId, number));
    return found ?? none();
  }

  *#lock(id: string): Script<StoredSequence> {
    const number = parseId('sequence', id);
    return (
      (number === undefined ? undefined : yield* lockSequence(this.store, this.workspaceId, number)) ?? none()
    );
  }

  async #refuseFaults({ steps: given }: SequenceInput, steps: readonly SequenceStep[]): Promise<void> {
    const { faults } = await judgeSteps(this.around.pool, steps, this.workspaceId);
    const [fault] = faults;
    if (!fault) return;
    // Where it stood when it was given.
    const index = given.findIndex(({ order }) => order === fault.step);
    const hint = fault.suggestion === null ? '' : `; is ${fault.suggestion} meant?`;
    throw invalidInput(`steps.${index}.${fault.part}`, `line ${fault.line}: ${fault.sentence}${hint}`);
  }
}

const shown = <T extends StoredHead>(stored: T): Omit<T, 'id'> & { readonly id: string } => ({
  ...stored,
  id: formatId('sequence', stored.id),
});

function previewOf(mail: Mail, account: Account): Preview {
  const { subject, html, text = '', unsubscribeUrl, from } = mail;
  return {
    ...{ subject, html: html ?? null, text, accountId: formatId('account', account.id) },
    ...{ from: mailboxText(from), headers: unsubscribeUrl === undefined ? {} : oneClick(unsubscribeUrl) },
  };
}

function none(): never {
  throw new PillarboxError('not_found', 'there is no such sequence');
}

const changedSince = (version: number): PillarboxError =>
  new PillarboxError('conflict', `somebody has saved version ${version} meanwhile; look at it first`, {
    field: 'version',
  });

const inUse = (campaigns: number): PillarboxError =>
  new PillarboxError(
    'conflict',
    `${campaigns === 1 ? 'a campaign says' : `${campaigns} campaigns say`} this sequence; what they have sent is shown from it`,
  );
