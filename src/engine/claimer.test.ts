import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silent } from '../log/log.js';
import { Claimer, type Source } from './claimer.js';

const LOOK_MS = 250;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const claimerOf = (source: Source) =>
  new Claimer({
    ...{ source, owner: 'w', log: silent, roomOf: () => 1, claimSize: () => 1 },
    ...{ mayTakeAlone: () => false, hasSilent: () => false, accept: () => Promise.resolve() },
  });

describe('a claimer that finds nothing', () => {
  /** How often it looks within a minute. */
  async function looks({ open = 0, prepare = 0 }: { open?: number; prepare?: number }): Promise<number> {
    let looked = 0;
    const takes = async (ms: number) => {
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      return [];
    };
    const source: Source = {
      what: 'mail',
      lookMs: LOOK_MS,
      open: () => {
        looked += 1;
        return takes(open);
      },
      prepare: () => takes(prepare),
      claim: () => Promise.resolve(undefined),
    };
    const claimer = claimerOf(source);
    const running = claimer.run();
    await vi.advanceTimersByTimeAsync(60_000);
    claimer.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    await running;
    return looked;
  }

  test('looks now and then, the more rarely the dearer a look is', async () => {
    expect(await looks({})).toBeGreaterThan(200);
    expect(await looks({ open: 500 })).toBeLessThan(10);
  });

  test('looks no more rarely because of what it had to do before it could claim', async () => {
    expect(await looks({ prepare: 500 })).toBeGreaterThan(75);
  });
});

describe('a claimer whose database is away', () => {
  test('knocks twice a second, however often it is woken, and stops at once', async () => {
    let looked = 0;
    const claimer = claimerOf({
      what: 'mail',
      lookMs: LOOK_MS,
      open: () => {
        looked += 1;
        return Promise.reject(new Error('away'));
      },
      claim: () => Promise.resolve(undefined),
    });
    const running = claimer.run();
    for (let ms = 0; ms < 10_000; ms += 10) {
      claimer.woken(undefined);
      claimer.roomMade();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(looked).toBeGreaterThanOrEqual(19);
    expect(looked).toBeLessThanOrEqual(21);
    claimer.stop();
    await running;
  });
});
