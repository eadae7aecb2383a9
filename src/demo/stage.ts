import type { Principal } from '../access/gatekeeper.js';
import { issueKey } from '../access/keys.js';
import { People } from '../access/people.js';
import { makeToken } from '../access/token.js';
import type { NewAccountInput } from '../accounts/input.js';
import { SCOPES, type Role, type Scope } from '../core/access.js';
import { formatId } from '../core/ids.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { writeAudit } from '../store/scripts/audit.js';
import { HOUSE, HOUSE_ADDRESS, HOUSE_DOMAIN, type SenderName } from './letters/house.js';

/** As the audit log calls whoever sets the stage. */
const DEMO = 'demo';

/** On a slow disk the story gets thinner, but its bounces stay: an account must not pause itself for their share. */
const HEALTH = { bouncePercent: 25 };

const WEEKDAYS = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17, timezone: 'UTC' };

/** Whoever looks at it, and when, sees its campaign leave. */
const AT_ANY_TIME = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, timezone: 'UTC' };

const ACCOUNTS: Readonly<Record<SenderName, Omit<NewAccountInput, 'name' | 'transport'>>> = {
  bookings: { displayName: `${HOUSE}, bookings` },
  team: { displayName: `The team of ${HOUSE}`, maxConnections: 3, dailyLimitEmails: 40, window: AT_ANY_TIME },
  news: { displayName: `${HOUSE}, news`, dailyLimitEmails: 200, window: WEEKDAYS },
  hello: { displayName: `${HOUSE}, front desk`, maxConnections: 2 },
};

/** Nobody learns their passwords, so nobody can log in as one of them. */
const PEOPLE: readonly { readonly email: string; readonly role: Role }[] = [
  { email: `runa@${HOUSE_DOMAIN}`, role: 'operator' },
  { email: `anselm@${HOUSE_DOMAIN}`, role: 'viewer' },
];
const KEYS: readonly { readonly name: string; readonly scopes: readonly Scope[] }[] = [
  { name: 'Demo: booking page', scopes: ['send'] },
  { name: 'Demo: evening report', scopes: ['read'] },
];

/** One who has set it all up, and what he did. */
export async function setStage(
  box: Pillarbox,
  providerUrl: string,
): Promise<Readonly<Record<SenderName, string>>> {
  const { settings } = box.home;
  const profile = { name: `${HOUSE} (demo)`, postalAddress: HOUSE_ADDRESS };
  await settings.changeProfile(profile);
  await note(box, DEMO, 'setting.workspace.update', null, profile);
  // Whoever looks at it thinks in the hours of his own clock.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  await settings.changeSending({ timezone: timeZone });
  await note(box, DEMO, 'setting.sending.update', null, { timezone: timeZone });
  await settings.changeDelivery({ health: HEALTH });
  await note(box, DEMO, 'setting.delivery.update', null, { health: HEALTH });
  await addPeople(box);
  await addKeys(box);
  return {
    bookings: await addAccount(box, 'bookings', providerUrl),
    team: await addAccount(box, 'team', providerUrl),
    news: await addAccount(box, 'news', providerUrl),
    hello: await addAccount(box, 'hello', providerUrl),
  };
}

async function addAccount(box: Pillarbox, name: SenderName, url: string): Promise<string> {
  const input: NewAccountInput = {
    name: `${name}@`,
    emailAddress: `${name}@${HOUSE_DOMAIN}`,
    transport: { kind: 'smtp', url },
    ...ACCOUNTS[name],
  };
  const { id } = await box.home.accounts.create(input);
  await note(box, DEMO, 'account.create', id, input);
  return id;
}

async function addPeople(box: Pillarbox): Promise<void> {
  const by: Principal = {
    workspaceId: box.home.id,
    scopes: new Set(SCOPES),
    administersInstallation: true,
    actor: DEMO,
  };
  const people = new People(box.store, box.home.id, by, box.home.id);
  for (const newcomer of PEOPLE) {
    const { member } = await people.add({ ...newcomer, password: makeToken() });
    await note(box, DEMO, 'user.create', formatId('user', member.id), newcomer);
  }
}

async function addKeys(box: Pillarbox): Promise<void> {
  const { store } = box;
  for (const wanted of KEYS) {
    const now = await store.now();
    const { id } = await store.transaction(() =>
      issueKey(store, { workspaceId: box.home.id, ...wanted }, now),
    );
    await note(box, DEMO, 'key.create', formatId('key', id), wanted);
  }
}

/** As the service writes down what is done through it. */
export async function note(
  { store, home }: Pillarbox,
  actor: string,
  action: string,
  target: string | null,
  body?: object,
): Promise<void> {
  const audited = { workspaceId: home.id, actor, action, target, ...(body && { details: { body } }) };
  const now = await store.now();
  await store.transaction(() => writeAudit(store, audited, now));
}
