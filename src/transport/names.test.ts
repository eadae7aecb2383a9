import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Names } from './names.js';

/** A resolver that answers when it is told to. */
function scripted() {
  const asked: string[] = [];
  const waiting = new Map<
    string,
    { resolve: (found: readonly string[]) => void; reject: (e: Error) => void }
  >();
  const ask = (name: string) => {
    asked.push(name);
    return new Promise<readonly string[]>((resolve, reject) => waiting.set(name, { resolve, reject }));
  };
  return {
    asked,
    ask,
    answer: (name: string, address = '192.0.2.1') => waiting.get(name)!.resolve([address]),
    fail: (name: string) => waiting.get(name)!.reject(new Error(`no ${name}`)),
  };
}

const aTurn = () => vi.advanceTimersByTimeAsync(0);
const MINUTE_MS = 60_000;

describe('names', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('one that many want is asked for once, and again when it is wanted later', async () => {
    const { asked, ask, answer } = scripted();
    const names = new Names(ask);
    const all = Promise.all(Array.from({ length: 20 }, () => names.resolve('mail.example')));
    await aTurn();
    expect(asked).toEqual(['mail.example']);
    answer('mail.example');
    expect(await all).toEqual(Array.from({ length: 20 }, () => ['192.0.2.1']));
    const again = names.resolve('mail.example');
    answer('mail.example', '192.0.2.2');
    expect(await again).toEqual(['192.0.2.2']);
    expect(asked).toHaveLength(2);
  });

  test('few are asked for at once, the others in the order in which they came', async () => {
    const { asked, ask, answer, fail } = scripted();
    const names = new Names(ask);
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      names.resolve(name).catch((error: unknown) => (error as Error).message),
    );
    await aTurn();
    expect(asked).toEqual(['a', 'b', 'c']);
    answer('b');
    await aTurn();
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
    fail('a');
    await aTurn();
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const name of ['c', 'd', 'e']) answer(name);
    expect((await Promise.all(all))[0]).toBe('no a');
  });

  test('one that was heard of lately does not wait for name servers that are silent', async () => {
    const { asked, ask, answer } = scripted();
    const names = new Names(ask);
    const first = names.resolve('mail.example');
    answer('mail.example');
    await first;
    for (const name of ['a', 'b', 'c']) void names.resolve(name);
    const told = vi.fn();
    void names.resolve('mail.example').then(told);
    await vi.advanceTimersByTimeAsync(999);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveBeenCalledWith(['192.0.2.1']);
    expect(asked).toEqual(['mail.example', 'a', 'b', 'c']);
  });

  test('what was heard too long ago is not used, nor what a name server takes back', async () => {
    const { ask, answer, fail } = scripted();
    const names = new Names(ask);
    const first = names.resolve('mail.example');
    answer('mail.example');
    await first;
    const second = names.resolve('mail.example');
    fail('mail.example');
    await expect(second).rejects.toThrow('no mail.example');
    vi.advanceTimersByTime(10 * MINUTE_MS + 1);
    const told = vi.fn();
    void names.resolve('mail.example').then(told);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(told).not.toHaveBeenCalled();
  });

  test('remembers only so many', async () => {
    const names = new Names((name) => Promise.resolve([`of ${name}`]));
    for (let n = 0; n < 3_000; n += 1) await names.resolve(`n${n}.example`);
    expect(names.remembered).toBe(1_000);
  });
});
