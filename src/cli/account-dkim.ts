import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { AccountPatch } from '../accounts/input.js';
import { invalidInput } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentAccount } from '../presentation/account.js';
import { accountNamed } from './account-named.js';
import { auditPersonal } from './audit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { harmless, levelMark, say, sayJson } from './terminal.js';

interface DkimFlags extends CommonOptions {
  readonly domain?: string;
  readonly selector?: string;
  readonly key?: string;
  readonly off?: true;
}

export const dkimCommand = (): Command =>
  withCommon(new Command('dkim'))
    .description("sign an account's mail with DKIM, and tell the DNS record to publish")
    .argument('<account>', 'its id, its name or its address')
    .option('--domain <domain>', 'that the signature speaks for; default: that of its address')
    .option('--selector <selector>', 'under which the key is published; default: pillarbox')
    .option('--key <file>', 'a private key in PEM form; default: one is made')
    .option('--off', 'sign no longer; the key is forgotten')
    .addHelpText(
      'after',
      `
Asked again it tells the record again. A new key needs a new selector: publish it first, then switch, and leave the old
record for some days. Whether the record is published: pillarbox accounts verify ACCOUNT`,
    )
    .action((account: string, flags: DkimFlags) =>
      withBox(flags, (box) => setDkim(box, account, flags), withSecrets),
    );

async function setDkim(box: Pillarbox, given: string, { json, ...flags }: DkimFlags): Promise<void> {
  const { id } = await accountNamed(box, given);
  const dkim = flags.off ? null : await inputOf(flags);
  const account = await box.home.accounts.update(id, { dkim });
  await auditPersonal(box, { action: 'account.update', target: id, body: { dkim } });
  if (json) {
    sayJson(presentAccount(account));
    return;
  }
  if (!account.dkim) {
    say(levelMark('look', harmless(`Mail of ${account.name} is no longer signed here.`)));
    return;
  }
  const { domain, record } = account.dkim;
  say(levelMark('fine', harmless(`Mail of ${account.name} is signed for ${domain}. Publish in its DNS:`)));
  say('');
  say(`${record.name}. IN TXT ${strings(record.value)}`);
  say('');
  say(`Then: pillarbox accounts verify ${account.id}`);
}

async function inputOf({ domain, selector, key }: DkimFlags): Promise<NonNullable<AccountPatch['dkim']>> {
  const privateKey = key === undefined ? undefined : await readKey(key);
  return {
    ...(domain !== undefined && { domain }),
    ...(selector !== undefined && { selector }),
    ...(privateKey !== undefined && { privateKey }),
  };
}

async function readKey(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw invalidInput('key', `the file cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
}

/** A string of a record has 255 bytes at most; a longer value is several, which receivers put together. */
const strings = (value: string): string =>
  (value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
