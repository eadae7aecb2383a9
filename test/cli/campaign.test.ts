import { beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases } from '../databases.js';
import { Cli, useCli } from './cli.js';

const SECRET = 'a secret for tests, of some length';
const CLOCK = '2031-03-03T06:00:00Z*1';

interface Simulated {
  readonly days: readonly { date: string; accountId: string; sent: number; quota: number }[];
  readonly endsAt: string | null;
  readonly violations: readonly unknown[];
}

describe.each(databases)('campaigns from the command line, on $name', ({ ready }) => {
  const cli = useCli(ready, { PILLARBOX_SECRET: SECRET, PILLARBOX_CLOCK: CLOCK });
  let id: string;

  beforeEach(async () => {
    const box = await createPillarbox({ databaseUrl: cli.databaseUrl, clock: CLOCK, secret: SECRET });
    const { ids } = await box.contacts.addMany(
      Array.from({ length: 25 }, (_, n) => ({ email: `p${n}@example.org` })),
    );
    const { id: sequenceId } = await box.sequences.create({
      name: 'Hello',
      steps: [
        { order: 1, delayDays: 0, subject: 'Hello', body: 'Hello' },
        { order: 2, delayDays: 2, body: 'Again' },
      ],
    });
    const accountIds = (await box.home.accounts.list()).items.map((account) => account.id);
    id = await box.campaigns.create({ name: 'Autumn', sequenceId, accountIds });
    await box.campaigns.enrol(id, ids);
    await box.stop();
  });

  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  test('are planned, simulated, launched, looked at, paused, resumed and stopped', async () => {
    expect(await said('campaign', 'ls')).toMatch(/Autumn +draft +25 +0 of 0/);
    const plan = await cli.json<{ total: number; lastAt: string; days: { date: string; count: number }[] }>(
      ...['campaign', 'plan', id],
    );
    expect(plan.total).toBe(50);
    expect(await said('campaign', 'plan', id)).toMatch(/50 messages would be planned, from 2031-03-03 09:/);

    const simulated = await cli.json<Simulated>('simulate', '--campaign', id, '--days', '30');
    expect(simulated).toMatchObject({ violations: [], endsAt: plan.lastAt, sent: 50, waiting: 0 });
    expect(simulated.days.map(({ date, sent }) => [date, sent])).toEqual(
      plan.days.map(({ date, count }) => [date, count]),
    );
    for (const { sent, quota } of simulated.days) expect(sent).toBeLessThanOrEqual(quota);

    expect(await cli.json('campaign', 'launch', id)).toEqual({
      ...{ scheduled: 50, skipped: 0, errors: [], warnings: [] },
    });
    expect(await said('campaign', 'launch', id)).toContain(
      '0 messages scheduled. 50 messages had been there',
    );
    expect(await cli.json('campaign', 'status', id)).toMatchObject({
      ...{ status: 'running', scheduled: 50, sent: 0, failed: 0, cancelled: 0 },
      progress: { planned: 50, total: 50, etaSeconds: 0 },
    });
    expect(await said('campaign', 'status', id)).toContain('Autumn: running, 0 messages sent, 50 to come');
    expect(await cli.json('campaign', 'pause', id, '--reason', 'holidays')).toMatchObject({
      ...{ id, state: 'paused', pauseReason: 'holidays' },
    });
    expect((await cli.run(['campaign', 'launch', id])).code).toBe(1);
    expect(await cli.json('campaign', 'resume', id)).toMatchObject({ id, state: 'running' });
    expect(await said('campaign', 'stop', id)).toContain('Stopped.');
    expect(await cli.json('campaign', 'ls', '--state', 'stopped')).toMatchObject({ items: [{ id }] });
    const { code, stderr } = await cli.run(['simulate', '--campaign', id]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('stopped') as string });
  });
});

describe('a campaign that is only described', () => {
  // It needs no database: this one can't be opened.
  const cli = new Cli({ DATABASE_URL: 'sqlite:/dev/null/never-opened.db' });
  const FOUR = ['--people', '30', '--steps', '2', '--accounts', '2', '--quota', '5'];
  const FROM = ['--from', '2026-11-16T06:00:00Z'];

  test('is simulated without a database, as a chart and as JSON', async () => {
    const { code, stdout, stderr } = await cli.run(['simulate', ...FOUR, ...FROM]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('60 messages would leave, the last on 2026-11-23');
    expect(stdout).toMatch(/^2026-11-16 {2}█+ {2}10 of 10$/m);
    const short = await cli.json<Simulated>('simulate', ...FOUR, ...FROM, '--days', '2');
    expect(short).toMatchObject({ endsAt: null, violations: [], sent: 20, waiting: 40 });
    expect(short.days).toHaveLength(4);
  });

  test.each([
    [['--people', '3'], 'steps: is missing'],
    [['--people', 'many', ...FOUR.slice(2)], 'people: should be a whole number'],
    [[...FOUR, '--days', '0'], 'days: should be'],
    [[...FOUR, '--timezone', 'Mars'], 'timezone: is not a time zone'],
    [[...FOUR, '--from', 'tomorrow'], 'from: should be an instant'],
    [[...FOUR, '--campaign', 'cmp_1'], 'people: is for a described campaign'],
    [[], 'people: is missing'],
  ])('%j is wrong usage', async (args, fault) => {
    const { code, stderr, stdout } = await cli.run(['simulate', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(fault);
  });
});
