import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Metrics } from '#pillarbox/overview/metrics';
import { readConfig } from '#pillarbox/service/config';
import { required } from '../postgres.js';

const run = promisify(execFile);
const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (path: string) => readFileSync(DEPLOY + path, 'utf8');

/** What an operator writes into the places that compose.yaml leaves open. */
const FILLED: Readonly<Record<string, string>> = {
  SMTP_URL: 'smtp://user:password@mail.example.org:587',
  MAIL_FROM: 'box@example.org',
  PUBLIC_URL: 'https://mail.example.org',
};

/** What operators copy must be true of this program. */
describe('deploy/', () => {
  test('Prometheus takes the alert rules, and they fire when they should', async () => {
    const promtool = required('PILLARBOX_TEST_PROMTOOL');
    const cwd = `${DEPLOY}prometheus`;
    const { stdout } = await run(promtool, ['check', 'rules', 'alerts.yaml'], { cwd });
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    expect((await run(promtool, ['test', 'rules', 'alerts.test.yaml'], { cwd })).stdout).toContain('SUCCESS');
  });

  test('Prometheus has nothing to say against the figures', async () => {
    const checked = run(required('PILLARBOX_TEST_PROMTOOL'), ['check', 'metrics']);
    checked.child.stdin?.end(await new Metrics().registry.metrics());
    // What it complains of is a failure, too.
    await expect(checked).resolves.toEqual({ stdout: '', stderr: '' });
  });

  test('rules and dashboard speak of figures that there are', async () => {
    const known = new Set((await new Metrics().registry.getMetricsAsJSON()).map(({ name }) => name));
    const dashboard = read('grafana/pillarbox.json');
    expect(JSON.parse(dashboard)).toMatchObject({ uid: 'pillarbox' });
    const named = [read('prometheus/alerts.yaml'), read('prometheus/alerts.test.yaml'), dashboard].flatMap(
      (text) => [...text.matchAll(/pillarbox_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
    );
    expect(named.length).toBeGreaterThan(30);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('the example environment is one that the program takes', () => {
    const lines = read('systemd/pillarbox.env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm);
    const env: Record<string, string | undefined> = {};
    for (const [, name = '', value] of lines) env[name] = value;
    expect(() => readConfig(env)).not.toThrow();
    expect(Object.keys(env)).toContain('AMQP_URL');
  });

  test('units run commands that there are, as nobody in particular, and leave time to stop', () => {
    const units = readdirSync(`${DEPLOY}systemd`).filter((name) => name.endsWith('.service'));
    expect(units).toHaveLength(3);
    for (const unit of units) {
      const text = read(`systemd/${unit}`);
      expect(text).toMatch(/^ExecStart=\/usr\/bin\/pillarbox (serve|work|relay)$/m);
      expect(text).toMatch(/^User=pillarbox$/m);
      expect(text).toMatch(/^TimeoutStopSec=45$/m);
      expect(text).toMatch(/^Type=notify\nNotifyAccess=all\nWatchdogSec=60$/m);
      expect(text).toMatch(/^ProtectSystem=strict$/m);
      expect(text).toMatch(/^StateDirectory=pillarbox$/m);
    }
  });

  test('systemd has nothing to say against the units, and finds little that they expose', async () => {
    const analyze = required('PILLARBOX_TEST_SYSTEMD_ANALYZE');
    const directory = mkdtempSync(join(tmpdir(), 'pillarbox-units-'));
    try {
      for (const name of readdirSync(`${DEPLOY}systemd`).filter((each) => each.endsWith('.service'))) {
        // It wants the program to be there; all else is as it is shipped.
        const unit = join(directory, name);
        writeFileSync(unit, read(`systemd/${name}`).replace('/usr/bin/pillarbox', process.execPath));
        const verified = run(analyze, ['verify', '--man=no', '--recursive-errors=no', unit]);
        await expect(verified, name).resolves.toEqual({ stdout: '', stderr: '' });
        // Out of 100; a unit without any of it has 96. It fails above.
        const secured = run(analyze, ['security', '--offline=yes', '--no-pager', '--threshold=40', unit]);
        await expect(secured, name).resolves.toMatchObject({ stderr: '' });
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test('the image copies what there is, and does not run as root', () => {
    const text = read('docker/Dockerfile');
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const copied = /^COPY (?!--from)(.+) \.\/$/m.exec(text)?.[1]?.split(' ') ?? [];
    expect(copied.filter((name) => !existsSync(root + name))).toEqual([]);
    expect(copied).toContain('package-lock.json');
    expect(text).toMatch(/^USER 10001$/m);
    expect(text).toMatch(/^HEALTHCHECK /m);
    // What is copied out of the first stage is what the package is made of, and what is started is among it.
    const kept = [...text.matchAll(/^COPY --from=build \/build\/(\S+) /gm)].map(([, name]) => name);
    expect(kept).toEqual(['package.json', 'bin', 'dist', 'node_modules']);
    const [, program = ''] = /^ENTRYPOINT \["node", "\/app\/(.+)"\]$/m.exec(text) ?? [];
    expect(existsSync(root + program)).toBe(true);
    // Nothing that was built or installed elsewhere comes in with the sources.
    const ignored = readFileSync(`${root}.dockerignore`, 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist']));
  });

  test('compose starts commands that there are, with an environment that the program takes', async () => {
    const text = read('docker/compose.yaml');
    const commands = [...text.matchAll(/^ {4}command: \[(.+)\]$/gm)].map(([, words = '']) =>
      words.split(', '),
    );
    expect(commands).toEqual([['serve', '--no-worker'], ['work'], ['relay']]);
    for (const [command = '', ...flags] of commands) {
      const { stdout } = await run(process.execPath, [`${DEPLOY}../bin/pillarbox.js`, command, '--help']);
      for (const flag of flags) expect(stdout).toContain(flag);
    }
    const env: Record<string, string> = Object.fromEntries(
      [...text.matchAll(/^ {4,6}([A-Z_]+): (\S.*)$/gm)].map(([, name = '', value = '']): [string, string] => [
        name,
        value.replace(/\$\{(\w+):[-?][^}]*\}/g, (_, variable: string) => FILLED[variable] ?? 'x'.repeat(32)),
      ]),
    );
    expect(Object.keys(env)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'AMQP_URL', 'PILLARBOX_SECRET', 'SMTP_URL', 'MAIL_FROM']),
    );
    expect(() => readConfig(env)).not.toThrow();
  });
});
