import { Command } from 'commander';
import { presentSecrets } from '../access/secret.js';
import type { AccountView } from '../accounts/view.js';
import type { Verification } from '../accounts/accounts.js';
import type { Config } from '../service/config.js';
import { messageInVariables } from '../service/variables.js';
import { isOutage, PillarboxError } from '../core/errors.js';
import type { PillarboxOptions } from '../library/options.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentAccount } from '../presentation/account.js';
import { dkimCommand } from './account-dkim.js';
import { accountNamed, allAccounts } from './account-named.js';
import { auditPersonal } from './audit.js';
import { EXIT } from './exit.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { endWith } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, mark, relative, say, sayJson, table } from './terminal.js';

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('look at accounts, stop them and let them go on');
  for (const command of [listCommand(), pauseCommand(), resumeCommand(), verifyCommand(), dkimCommand()]) {
    accounts.addCommand(command);
  }
  return accounts;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list accounts, the oldest first')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 50)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ limit, cursor, ...flags }: CommonOptions & { limit: number; cursor?: string }) =>
      withBox(
        flags,
        async (box) => {
          const { items, nextCursor } = await box.home.accounts.list({ limit, cursor });
          if (flags.json) {
            sayJson({ items: items.map(presentAccount), nextCursor });
            return;
          }
          say(table(items, columns(await box.now())));
          const paused = items.filter(({ status }) => status === 'paused').length;
          const more = nextCursor === null ? '' : `More: --cursor ${nextCursor}   `;
          const next =
            paused > 0
              ? 'Let one go on: pillarbox accounts resume ID'
              : 'Try one: pillarbox accounts verify ID';
          say(`${amount(items.length, 'account')}, ${paused} paused. ${more}${next}`);
        },
        sendingMeans,
      ),
    );

const columns = (now: number): Column<AccountView>[] => [
  { title: '  STATE', text: stateOf },
  { title: 'NAME', text: ({ name }) => harmless(name), gives: { order: 4, least: 8 } },
  {
    title: 'ADDRESS',
    text: ({ emailAddress }) => harmless(emailAddress ?? ''),
    gives: { order: 3, least: 12 },
  },
  { title: 'BY', text: ({ transport }) => transport.kind, gives: { order: 2, least: 0 } },
  { title: 'WHY', text: (account) => harmless(whyOf(account, now)), gives: { order: 1, least: 12 } },
  { title: 'ID', text: ({ id }) => id },
];

function stateOf({ status, cooldownUntil }: AccountView): string {
  if (status === 'paused') return mark('held', 'Paused');
  return cooldownUntil === null ? mark('sent', 'Active') : mark('retry_scheduled', 'Resting');
}

function whyOf({ status, pauseReason, cooldownUntil, cooldownReason }: AccountView, now: number): string {
  if (status === 'paused') return pauseReason ?? '';
  return cooldownUntil === null ? '' : `${relative(cooldownUntil, now)}: ${cooldownReason ?? ''}`;
}

const pauseCommand = (): Command =>
  withCommon(new Command('pause'))
    .description('stop an account; its mail waits and loses no try')
    .argument('<account>', 'its id, its name or its address')
    .argument('[reason]', 'why, for others to read')
    .action((account: string, reason: string | undefined, flags: CommonOptions) =>
      withBox(
        flags,
        async (box) => {
          const paused = await setStatus(box, account, {
            status: 'paused',
            ...(reason !== undefined && { pauseReason: reason }),
          });
          if (flags.json) sayJson(presentAccount(paused));
          else sayDone('look', `Paused ${paused.name}. Let it go on: pillarbox accounts resume ${paused.id}`);
        },
        withSecrets,
      ),
    );

const resumeCommand = (): Command =>
  withCommon(new Command('resume'))
    .description('let an account send again; a cool-down that is still running is kept')
    .argument('<account>', 'its id, its name or its address')
    .action((account: string, flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const resumed = await setStatus(box, account, { status: 'active' });
        if (flags.json) sayJson(presentAccount(resumed));
        else
          sayDone(
            'fine',
            `Resumed ${resumed.name}. See its mail: pillarbox queue ls --account ${resumed.id}`,
          );
      }),
    );

const sayDone = (level: 'fine' | 'look', text: string): void => say(levelMark(level, harmless(text)));

/** Written down as the API would. */
export async function setStatus(
  box: Pillarbox,
  given: string,
  change: { readonly status: 'active' | 'paused'; readonly pauseReason?: string },
): Promise<AccountView> {
  const { id } = await accountNamed(box, given);
  const account = await box.home.accounts.update(id, change);
  await auditPersonal(box, { action: 'account.update', target: id, body: change });
  return account;
}

const verifyCommand = (): Command =>
  withCommon(new Command('verify'))
    .description(
      'connect and log in as a send would, without sending, and look at SPF, DKIM and DMARC in DNS',
    )
    .argument('[accounts...]', 'ids, names or addresses; all of the workspace if none is given')
    .action((given: string[], flags: CommonOptions) =>
      withBox(
        flags,
        async (box) => {
          const wanted =
            given.length === 0
              ? await allAccounts(box)
              : await Promise.all(given.map((each) => accountNamed(box, each)));
          const verified: (Verification & { readonly id: string; readonly name: string })[] = [];
          for (const { id, name } of wanted) {
            const verification = await verifyOne(box, id);
            verified.push({ id, name, ...verification });
            if (!flags.json) sayVerified(name, verification);
          }
          const failed = verified.filter(({ ok }) => !ok);
          const isWrong = ({ level }: { readonly level: string }) => level === 'act';
          if (verified.some(({ ok, records }) => !ok || records.some(isWrong))) endWith(EXIT.violations);
          const [only] = verified;
          if (flags.json && given.length === 1 && only)
            sayJson({ ok: only.ok, error: only.error, records: only.records });
          else if (flags.json) sayJson({ items: verified });
          else {
            const next = failed.length === 0 ? '' : ' Correct it, then: pillarbox accounts resume ID';
            say(`${verified.length - failed.length} of ${amount(verified.length, 'account')} verify.${next}`);
          }
        },
        sendingMeans,
      ),
    );

/** What the settings of this process do not allow is what a send would meet here, too. */
export async function verifyOne(box: Pillarbox, id: string): Promise<Verification> {
  try {
    return await box.home.accounts.verify(id);
  } catch (error) {
    if (!(error instanceof PillarboxError) || isOutage(error)) throw error;
    const message = messageInVariables(error);
    return { ok: false, error: { code: error.code, message, class: 'account' }, records: [] };
  }
}

/** What is wrong with a setting names it; its code would say no more. */
export const whyNot = ({ code, message }: NonNullable<Verification['error']>): string =>
  code === 'invalid_config' ? message : `${code} ${message}`.trim();

function sayVerified(name: string, { ok, error, records }: Verification): void {
  const text = ok || !error ? 'connects and logs in' : whyNot(error);
  say(levelMark(ok ? 'fine' : 'act', harmless(`${name}  ${text}`)));
  for (const { kind, level, sentence } of records)
    say(`  ${levelMark(level, harmless(`${kind.toUpperCase().padEnd(5)} ${sentence}`))}`);
}

/** What this process would send with. Looking makes no secret that is not there. */
export const sendingMeans = (config: Config): Partial<PillarboxOptions> => ({
  smtpUrl: config.smtpUrl,
  allowPrivateHosts: config.allowPrivateHosts,
  secret: presentSecrets(config),
});
