import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshSqlite } from '../databases.js';
import { required } from '../postgres.js';
import { useCli } from './cli.js';

const directory = mkdtempSync(join(tmpdir(), 'pillarbox-systemd-'));
const script = '#!/bin/sh\necho "$*" >> "$NOTIFY_SOCKET"\n';

/** What systemd would hear: a stand-in for systemd-notify writes it down. */
describe('under systemd', () => {
  beforeAll(() => writeFileSync(join(directory, 'systemd-notify'), script, { mode: 0o755 }));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const cli = useCli(freshSqlite, {
    ...{ PATH: `${directory}:${process.env['PATH'] ?? ''}`, PORT: '0', PILLARBOX_SECRET: 's'.repeat(32) },
    ...{ SMTP_URL: 'smtp://127.0.0.1:1', PILLARBOX_GRACE_SECONDS: '1', AMQP_URL: required('TEST_AMQP_URL') },
  });

  test.each([
    ['serve', /Ctrl-C/],
    ['work', /working/],
    ['relay', /passing mail on/],
  ])('%s says when it is ready and when it stops', async (command, begun) => {
    const heard = join(directory, command);
    const running = cli.with({ NOTIFY_SOCKET: heard }).start([command]);
    await running.said(begun);
    running.tell('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(readFileSync(heard, 'utf8')).toBe('--ready\nSTOPPING=1\n');
  });
});
