import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { required } from '../postgres.js';
import { Cli } from './cli.js';

const run = promisify(execFile);

/** What a program of somebody else is, in one file. */
const APPLICATION = `
import { createPillarbox } from 'pillarbox';
const [databaseUrl, smtpUrl] = process.argv.slice(2);
// However slow the machine is.
const waiting = { inlineSeconds: 60 };
const box = await createPillarbox({ databaseUrl, smtpUrl, from: 'Desk <desk@example.org>', ...waiting });
const sent = await box.outbox.send({ to: 'ada@example.org', subject: 'Größe', text: 'It arrived.' });
await box.stop();
console.log(JSON.stringify(sent));
`;

/** What its types say to a module of each kind; `@ts-expect-error` fails where there is nothing wrong. */
const MODULE = `
import { createPillarbox, PillarboxError, type MailInput, type SendResult } from 'pillarbox';
import { scriptedTransport } from 'pillarbox/testing';
const mail: MailInput = { to: 'ada@example.org', subject: 'x', text: 'y' };
export async function send(): Promise<string> {
  const box = await createPillarbox({ databaseUrl: 'sqlite:./x.db', smtpUrl: 'smtp://127.0.0.1' });
  const result: SendResult = await box.outbox.send(mail);
  if (result.delivered) return result.messageId;
  // @ts-expect-error what was not delivered has none
  return result.messageId;
}
export const isMalformed = (error: unknown) =>
  error instanceof PillarboxError && error.code === 'invalid_input';
// @ts-expect-error it is a function, not a number
export const number: number = scriptedTransport;
`;
const COMMONJS = `
import type { SendResult } from 'pillarbox' with { 'resolution-mode': 'import' };
export async function send(): Promise<SendResult> {
  const { createPillarbox, fileTransport } = await import('pillarbox');
  const transport = fileTransport({ directory: 'mail' });
  // @ts-expect-error there is no such option
  await createPillarbox({ databaseUrl: 'sqlite:./x.db', transprot: transport });
  const box = await createPillarbox({ databaseUrl: 'sqlite:./x.db', transport });
  return box.outbox.send({ to: 'ada@example.org', subject: 'x', text: 'y' });
}
`;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}
const lockIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Lock;

/** Of what `npm test` tells its children only what every shell has: npm takes the rest for settings. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|PILLARBOX_|TEST_|INIT_CWD$)/i.test(name),
  ),
);

/**
 * The package as it is published, installed and used as anybody would. Longer than 20 s: npm packs 26 MB, and unpacks them
 * once for each Node.
 */
describe('the packed package', () => {
  let directory = '';
  let tarball = '';
  let npm = '';

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pillarbox-package-'));
    npm = realpathSync((await run('sh', ['-c', 'command -v npm'])).stdout.trim());
    // It is built: tests run what is.
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory];
    const { stdout } = await run('npm', args, { env: shell });
    tarball = join(directory, stdout.trim());
  }, 3 * PATIENCE_MS);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    ['that runs the tests', () => process.execPath],
    ['22', () => required('PILLARBOX_TEST_NODE_22')],
  ])(
    'on the Node %s: installs without a warning, brings what was tested, and sends',
    async (title, program) => {
      const node = program();
      const home = join(directory, title);
      mkdirSync(home);
      writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }');
      const env = { ...shell, PATH: [dirname(node), shell['PATH']].join(delimiter) };
      const here = (args: readonly string[]) => run(node, args, { cwd: home, env });

      // From nothing but the tarball: what it lacks could not be had.
      const alone = ['--offline', '--cache', join(directory, 'cache'), '--no-audit', '--no-fund'];
      const installed = await here([npm, 'install', tarball, ...alone, '--no-update-notifier']);
      // What it says of settings of this machine has nothing to do with the package.
      const said = installed.stderr.replace(/^npm warn Unknown \w+ config .*\n/gm, '');
      expect(said).toBe('');
      expect(installed.stdout).not.toMatch(/warn|deprecat|vulnerab/i);

      const brought = Object.entries(lockIn(join(home, 'node_modules/.package-lock.json')).packages)
        .filter(([path]) => path !== 'node_modules/pillarbox')
        .map(([path, { version }]) => [path, version]);
      const tested = Object.entries(lockIn('package-lock.json').packages)
        .filter(([path, { dev }]) => path !== '' && !dev)
        .map(([path, { version }]) => [`node_modules/pillarbox/${path}`, version]);
      expect(Object.fromEntries(brought)).toEqual(Object.fromEntries(tested));

      const bin = join(home, 'node_modules/.bin/pillarbox');
      const databaseUrl = `sqlite:${join(home, 'mail.db')}`;
      const cli = new Cli({ DATABASE_URL: databaseUrl }, new Set(), [node, bin]);
      try {
        const catching = await cli.start(['catcher', '--port', '0']).said(/SMTP_URL=\S+\s/);
        const [, smtpUrl = ''] = /SMTP_URL=(\S+)/.exec(catching) ?? [];
        writeFileSync(join(home, 'main.js'), APPLICATION);
        const sent = await here(['main.js', databaseUrl, smtpUrl]);
        // Warnings of Node itself would stand there, too.
        expect(sent.stderr).toBe('');
        expect(JSON.parse(sent.stdout)).toMatchObject({ delivered: true });
        const inbox = await cli.runAlone(['inbox', 'ls', '--json']);
        expect(inbox).toMatchObject({ code: 0, stderr: '' });
        expect(inbox.stdout).toContain('Größe');
      } finally {
        await cli.close();
      }
    },
    3 * PATIENCE_MS,
  );

  test(
    'its types are right for ES modules and for CommonJS, also when those of libraries are checked',
    async () => {
      const home = join(directory, 'types');
      const installed = join(home, 'node_modules/pillarbox');
      mkdirSync(installed, { recursive: true });
      await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
      writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }');
      writeFileSync(join(home, 'main.ts'), MODULE);
      writeFileSync(join(home, 'main.cts'), COMMONJS);
      const compilerOptions = {
        ...{ module: 'NodeNext', target: 'ES2022', noEmit: true },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
        ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
      };
      const files = ['main.ts', 'main.cts'];
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const checking = run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', home]);
      // What it complains of is on standard output, and the error of a program that failed does not show that.
      const said = await checking.catch((error: unknown) => error);
      expect((said as { stdout: string }).stdout).toBe('');
    },
    3 * PATIENCE_MS,
  );
});
