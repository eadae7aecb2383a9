import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Passwords } from './password.js';

/** Some milliseconds each: the next ones come before the first is done. */
const passwords = new Passwords({ N: 2 ** 13, r: 8, p: 1 });

/** How many of the process's threads work at passwords: from the call to its answer. */
const threads = { busy: 0, most: 0, all: 0 };
const working = new Set<number>();
const hook = createHook({
  init(id, type) {
    if (type !== 'SCRYPTREQUEST') return;
    working.add(id);
    threads.all += 1;
    threads.busy += 1;
    threads.most = Math.max(threads.most, threads.busy);
  },
  before(id) {
    if (working.delete(id)) threads.busy -= 1;
  },
});

beforeAll(() => hook.enable());
afterAll(() => hook.disable());

test('however many log in at once, two passwords are looked at, and the other threads are free for the rest', async () => {
  const stored = await passwords.hash('correct horse');
  const tries = Array.from({ length: 60 }, (_, n) =>
    n % 3 === 0 ? passwords.hash(`new ${n}`) : passwords.verify(n === 1 ? 'correct horse' : 'wrong', stored),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((answer) => answer === true)).toHaveLength(1);
  expect(threads).toEqual({ busy: 0, most: 2, all: 61 });
});

test('who finds a long line is told to come back, before anything is done for him', async () => {
  const stored = await passwords.hash('correct horse');
  const before = threads.all;
  const tries = Array.from({ length: 2 + 64 + 20 }, () => passwords.verify('correct horse', stored));
  const answers = await Promise.allSettled(tries);
  const busy = answers.filter(({ status }) => status === 'rejected');
  expect(busy).toHaveLength(20);
  expect(busy).toMatchObject(Array(20).fill({ reason: { code: 'busy', retryAfterSeconds: 2 } }));
  expect(threads.all - before).toBe(66);
  expect(await passwords.verify('correct horse', stored)).toBe(true);
});

test('the usual cost is dear, stands with what is kept, and may be another one day', async () => {
  const kept = await new Passwords().hash('correct horse');
  expect(kept).toMatch(/^scrypt\$65536\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.verify('correct horse', kept)).toBe(true);
  expect(await passwords.verify('wrong horse', kept)).toBe(false);
});
