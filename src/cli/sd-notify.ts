import { execFile } from 'node:child_process';
import type { Logger } from '../log/log.js';
import { surroundings } from './surroundings.js';

const TELL_MS = 10_000;

/** What systemd is told of this process. */
export interface Notifier {
  /** From here on it works, and says so again and again as long as `alive` answers true. */
  ready(alive: () => boolean): void;
  stopping(): void;
  /** Nothing more is said; resolves when all that was said has been told. */
  end(): Promise<void>;
}

const NOBODY: Notifier = {
  ready: () => undefined,
  stopping: () => undefined,
  end: () => Promise.resolve(),
};

/**
 * Readiness and the watchdog of a unit of `Type=notify`. Node has no datagram sockets of the kind that NOTIFY_SOCKET is,
 * so `systemd-notify` speaks. Where it can't be run, that is logged once: mail does not depend on it.
 */
export function systemdNotifier(log: Pick<Logger, 'warn'>): Notifier {
  const { env } = surroundings();
  if (!env['NOTIFY_SOCKET']) return NOBODY;
  let told: Promise<void> = Promise.resolve();
  let warned = false;
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  // One after the other: what is said last must be heard last.
  const tell = (word: string): void => {
    underWay += 1;
    told = told.then(async () => {
      const error = await run(word, env);
      underWay -= 1;
      if (!error || warned) return;
      warned = true;
      log.warn(
        { error: error.message },
        'systemd-notify cannot be run; systemd is not told how this process is',
      );
    });
  };

  return {
    ready(alive) {
      tell('--ready');
      const everyMs = watchdogMs(env) / 2;
      if (!(everyMs > 0)) return;
      timer = setInterval(() => {
        if (alive() && underWay === 0) tell('WATCHDOG=1');
      }, everyMs);
      timer.unref();
    },
    stopping: () => tell('STOPPING=1'),
    end() {
      clearInterval(timer);
      return told;
    },
  };
}

/** 0: nobody watches, or it is another process that is watched. */
function watchdogMs({
  WATCHDOG_USEC: usec,
  WATCHDOG_PID: pid,
}: Readonly<Record<string, string | undefined>>) {
  const isOurs = pid === undefined || pid === String(process.pid);
  return isOurs && usec !== undefined && /^\d{1,15}$/.test(usec) ? Number(usec) / 1_000 : 0;
}

const run = (word: string, env: Readonly<Record<string, string | undefined>>): Promise<Error | null> =>
  new Promise((resolve) => {
    execFile('systemd-notify', [word], { env, timeout: TELL_MS }, (error) => resolve(error));
  });
