import { createPillarbox } from 'pillarbox';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

const OLD = 'the secret before the one of today';
const NEW = 'the secret of today, of some length';

describe.each(databases)('secrets rotate on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  async function withBox<T>(
    secret: string,
    act: (box: Awaited<ReturnType<typeof createPillarbox>>) => Promise<T>,
  ): Promise<T> {
    const smtpUrl = 'smtp://127.0.0.1:1';
    const box = await createPillarbox({
      databaseUrl: cli.databaseUrl,
      secret,
      smtpUrl,
      allowPrivateHosts: true,
    });
    try {
      return await act(box);
    } finally {
      await box.stop();
    }
  }
  const addAccount = (secret: string, name: string, url: string) =>
    withBox(secret, (box) => box.home.accounts.create({ name, transport: { kind: 'smtp', url } }));
  const starts = (secret: string) => withBox(secret, (box) => box.start());

  test('re-encrypts what the former secret had, and then the former is not needed', async () => {
    await addAccount(OLD, 'one', 'smtp://ada:hunter2@127.0.0.1:1');
    await addAccount(OLD, 'two', 'smtp://bob:hunter3@127.0.0.1:1');
    await addAccount(OLD, 'open', 'smtp://127.0.0.1:1');
    await expect(starts(NEW)).rejects.toMatchObject({ code: 'invalid_config' });

    const both = cli.with({ PILLARBOX_SECRET: NEW, PILLARBOX_SECRET_FORMER: OLD });
    expect(await both.json('secrets', 'rotate')).toEqual({ rotated: 2, current: 0 });
    await starts(NEW);
    await expect(starts(OLD)).rejects.toMatchObject({ code: 'invalid_config' });

    const again = await both.run(['secrets', 'rotate']);
    expect(again).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('2 had the current secret'),
    });
    for (const secret of [OLD, NEW, 'hunter']) expect(again.stdout).not.toContain(secret);
  });

  test('changes nothing if one account has yet another secret, and names it', async () => {
    await addAccount(OLD, 'one', 'smtp://ada:hunter2@127.0.0.1:1');
    const lost = await addAccount('forgotten', 'two', 'smtp://bob:hunter3@127.0.0.1:1');
    const both = cli.with({ PILLARBOX_SECRET: NEW, PILLARBOX_SECRET_FORMER: OLD });
    const refused = await both.run(['secrets', 'rotate']);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(lost.id) });
    const former = cli.with({ PILLARBOX_SECRET: OLD, PILLARBOX_SECRET_FORMER: 'forgotten' });
    expect(await former.json('secrets', 'rotate')).toEqual({ rotated: 1, current: 1 });
  });

  test('explains itself', async () => {
    const { code, stdout } = await cli.run(['secrets', 'rotate', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('PILLARBOX_SECRET_FORMER');
  });
});
