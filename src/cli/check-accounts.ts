import { reseal } from '../access/sealed.js';
import { SecretBox } from '../access/secret-box.js';
import { presentSecrets } from '../access/secret.js';
import type { AccountView } from '../accounts/view.js';
import { formatId } from '../core/ids.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { listSealed } from '../store/scripts/account-edits.js';
import { allAccounts } from './account-named.js';
import { verifyOne, whyNot } from './accounts.js';
import type { Finding, Known } from './finding.js';
import { amount, type Level } from './terminal.js';

const NAMED = 3;

interface Trouble {
  readonly level: Exclude<Level, 'fine'>;
  readonly sentence: string;
}

/** Connects as sends would. A paused one is not tried: it says itself why. */
export async function checkAccounts(box: Pillarbox, known: Known): Promise<Finding> {
  const what = 'accounts';
  const { verify } = known;
  const accounts = await allAccounts(box);
  const troubles: Trouble[] = [];
  for (const account of accounts) {
    const trouble = await troubleOf(box, account, known);
    if (trouble) troubles.push(trouble);
  }
  const level = levelOf(troubles);
  const well = `${accounts.length - troubles.length} of ${accounts.length} ${verify ? 'verify' : 'are open'}.`;
  const named = troubles.slice(0, NAMED).map(({ sentence }) => sentence);
  const more = troubles.length - named.length;
  const rest = more > 0 ? [`${more} more: pillarbox accounts verify`] : [];
  return { what, level, text: [well, ...named, ...rest].join(' ') };
}

const levelOf = (troubles: readonly Trouble[]): Level => {
  if (troubles.some(({ level }) => level === 'act')) return 'act';
  return troubles.length > 0 ? 'look' : 'fine';
};

async function troubleOf(
  box: Pillarbox,
  { id, name, status, pauseReason, isDefault }: AccountView,
  { config: { smtpUrl }, faults, verify }: Known,
): Promise<Trouble | undefined> {
  if (status === 'paused')
    return { level: 'look', sentence: `${name} is paused: ${pauseReason ?? 'by a person'}.` };
  if (!verify) return undefined;
  if (isDefault && smtpUrl === undefined) {
    const fault = faults.get('SMTP_URL');
    const unset = 'SMTP_URL is not set; serve catches its mail, work does not start';
    const why = fault === undefined ? unset : `${fault}; until then neither serve nor work starts`;
    return { level: 'look', sentence: `${name}: ${why}.` };
  }
  const { error, records } = await verifyOne(box, id);
  const wrong = records.find(({ level: how }) => how === 'act');
  if (!error && wrong) return { level: 'look', sentence: `${name}: ${wrong.sentence}` };
  if (!error) return undefined;
  return {
    level: 'act',
    sentence: `${name}: ${whyNot(error).replace(/\.$/, '')}.`,
  };
}

/** Whether the credentials that are stored could be used by a process with these settings. */
export async function checkSecrets({ store }: Pillarbox, { config, faults }: Known): Promise<Finding> {
  const what = 'secrets';
  const fault = faults.get('PILLARBOX_SECRET');
  const secrets = presentSecrets(config);
  const rows = await store.read(listSealed(store));
  if (rows.length === 0) {
    const missing = secrets.length === 0 && fault === undefined && store.dialect === 'postgres';
    return missing
      ? { what, level: 'look', text: 'PILLARBOX_SECRET is not set; serve and work need it with PostgreSQL' }
      : { what, level: 'fine', text: 'no credentials are stored' };
  }
  if (fault !== undefined)
    return { what, level: 'look', text: `${amount(rows.length, 'stored credential')}, not tried. ${fault}` };
  const box = new SecretBox(secrets, store.installation);
  const closed = rows.flatMap((row) => {
    try {
      reseal(box, row);
      return [];
    } catch (error) {
      return [{ id: formatId('account', row.id), why: (error as Error).message }];
    }
  });
  const [first] = closed;
  if (!first)
    return { what, level: 'fine', text: `${amount(rows.length, 'stored credential')} can be opened` };
  const ids = closed.slice(0, NAMED).map(({ id }) => id);
  const which = `${ids.join(', ')}${closed.length > NAMED ? ' …' : ''}`;
  return {
    what,
    level: 'act',
    text: `${closed.length} of ${amount(rows.length, 'stored credential')} can't be opened (${which}). ${first.why}`,
  };
}
