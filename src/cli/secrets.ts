import { Command } from 'commander';
import { readConfig } from '../service/config.js';
import { silent } from '../log/log.js';
import { surroundings } from './surroundings.js';
import { amount, levelMark, say, sayJson } from './terminal.js';
import { withStore } from './with-store.js';

export function secretsCommand(): Command {
  const secrets = new Command('secrets').description('look after what encrypts the credentials of accounts');
  secrets.addCommand(rotateCommand());
  return secrets;
}

const rotateCommand = (): Command =>
  new Command('rotate')
    .description('re-encrypt stored credentials with the secret that is set now')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      `
Set PILLARBOX_SECRET to the new secret and PILLARBOX_SECRET_FORMER to the one before, for every process; restart
them, run this, and take PILLARBOX_SECRET_FORMER away again. All credentials are re-encrypted, or none.`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const { findSecrets } = await import('../access/secret.js');
      const { SecretBox } = await import('../access/secret-box.js');
      const { rotateEverything } = await import('../privacy/rotation.js');
      const secrets = findSecrets(readConfig(surroundings().env), silent);
      const done = await withStore((store) =>
        store.transaction(() => rotateEverything(store, new SecretBox(secrets, store.installation))),
      );
      if (json) sayJson(done);
      else {
        const { rotated, current: known } = done;
        say(
          levelMark('fine', `${amount(rotated, 'account')} re-encrypted, ${known} had the current secret.`),
        );
      }
    });
