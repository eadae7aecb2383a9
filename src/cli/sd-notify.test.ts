import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemdNotifier, type Notifier } from './sd-notify.js';
import { within } from './surroundings.js';

const PATIENCE = { timeout: 60_000, interval: 10 };

let directory: string;
let warnings: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillarbox-notify-'));
  warnings = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A stand-in that writes down what it is called with. */
function standIn(): void {
  const script = `#!/bin/sh\necho "$*" >> '${join(directory, 'said')}'\n`;
  writeFileSync(join(directory, 'systemd-notify'), script, { mode: 0o755 });
}
const said = (): string[] => readFileSync(join(directory, 'said'), 'utf8').trim().split('\n');

async function under(env: Readonly<Record<string, string>>, act: (systemd: Notifier) => Promise<void>) {
  const around = {
    env: { PATH: directory, ...env },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  };
  await within(around, () =>
    act(systemdNotifier({ warn: (_: object, text: string) => warnings.push(text) })),
  );
}

test('systemd hears that it is ready, that it lives, and that it stops, in this order', async () => {
  standIn();
  await under({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '20000' }, async (systemd) => {
    systemd.ready(() => true);
    await vi.waitUntil(() => warnings.length > 0 || readable().includes('WATCHDOG=1'), PATIENCE);
    systemd.stopping();
    await systemd.end();
  });
  expect(warnings).toEqual([]);
  const words = said();
  expect(words[0]).toBe('--ready');
  expect(words.at(-1)).toBe('STOPPING=1');
  expect(new Set(words.slice(1, -1))).toEqual(new Set(['WATCHDOG=1']));
});

const readable = (): string[] => {
  try {
    return said();
  } catch {
    return [];
  }
};

test('while leases are not renewed it gives no sign of life', async () => {
  standIn();
  await under({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '20000' }, async (systemd) => {
    const alive = vi.fn(() => false);
    systemd.ready(alive);
    await vi.waitUntil(() => alive.mock.calls.length >= 3, PATIENCE);
    systemd.stopping();
    await systemd.end();
  });
  expect(said()).toEqual(['--ready', 'STOPPING=1']);
});

test('the watchdog of another process is not ours to feed', async () => {
  standIn();
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '20000', WATCHDOG_PID: '1' };
  await under(env, async (systemd) => {
    const alive = vi.fn(() => true);
    systemd.ready(alive);
    await systemd.end();
    expect(alive).not.toHaveBeenCalled();
  });
  expect(said()).toEqual(['--ready']);
});

test('without systemd-notify one line is logged, and all goes on', async () => {
  await under({ NOTIFY_SOCKET: '/run/x' }, async (systemd) => {
    systemd.ready(() => true);
    systemd.stopping();
    await systemd.end();
  });
  expect(warnings).toEqual(['systemd-notify cannot be run; systemd is not told how this process is']);
});

test('without systemd nothing is run', async () => {
  standIn();
  await under({}, async (systemd) => {
    systemd.ready(() => true);
    systemd.stopping();
    await systemd.end();
  });
  expect(readable()).toEqual([]);
});
