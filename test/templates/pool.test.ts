import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { RenderPool, type RenderPoolOptions } from '#pillarbox/templates/render-pool';
import type { RenderJob, Setting, TemplateSource } from '#pillarbox/templates/source';
import { BOMBS } from './bombs.js';

const setting: Setting = {
  variables: { event: {}, big: 'a<& '.repeat(5_000) },
  locale: 'en',
  timezone: 'UTC',
};
const GOOD: TemplateSource = { subject: 'Hello {{ name }}', html: '<p>Hi {{ name }}</p>' };
const RENDERED = { subject: 'Hello Ada', html: '<p>Hi Ada</p>', text: 'Hi Ada' };
const job = (source: TemplateSource): RenderJob => ({ source, setting, own: { name: 'Ada' } });
const PLANTED = new URL('./planted-thread.mjs', import.meta.url);
const BROKEN = new URL('./broken-thread.mjs', import.meta.url);

const pools: RenderPool[] = [];
const openPool = (options: RenderPoolOptions = {}): RenderPool => {
  const pool = new RenderPool(options);
  pools.push(pool);
  return pool;
};
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

const faultOf = (rendered: unknown) => (rendered as { fault?: { code: string } }).fault?.code;

/** Longer than 20 s in all: a deadline passes for many of these, twice, and each costs a thread. */
describe('[F49] [T12] a bomb', () => {
  // One pool for all of them: each must leave it as it was.
  const shared = new RenderPool();
  afterAll(() => shared.close());

  test.each(Object.entries(BOMBS))('%s ends, and harms nobody beside it', async (_name, text) => {
    const [first, bomb, second, third] = await shared.render([
      job(GOOD),
      job({ text }),
      job(GOOD),
      job(GOOD),
    ]);
    expect([first, second, third]).toEqual([RENDERED, RENDERED, RENDERED]);
    const code = faultOf(bomb);
    // What is only strange, and harmless, may be rendered.
    if (code === undefined) expect((bomb as { text: string }).text.length).toBeLessThan(1_000_000);
    else expect(code).toMatch(/^template_/);
  });

  test('of a thousand mails costs no thousand deadlines', async () => {
    const pool = openPool();
    const bomb = job({ text: BOMBS['empty loops in loops'] ?? '' });
    const slow = job({
      text: '{% for i in (1..900000) %}{% for j in (1..900000) %}{% endfor %}{% endfor %}',
    });
    const jobs = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? bomb : slow));
    const results = await pool.render([...jobs, job(GOOD)]);
    expect(results.at(-1)).toEqual(RENDERED);
    expect(results.slice(0, -1).every((result) => faultOf(result)?.startsWith('template_'))).toBe(true);
  });

  test('is refused when it is saved', async () => {
    const pool = openPool();
    const { faults } = await pool.check({ html: `<p>${BOMBS['loops in loops'] ?? ''}</p>` });
    expect(faults).toMatchObject([{ part: 'html', code: expect.stringMatching(/^template_/) }]);
    expect((await pool.check(GOOD)).faults).toEqual([]);
  });
});

describe('what passes the limits of the language', () => {
  test.each([
    ['spins', '{{ name | spin }}', /too_slow/],
    // Whichever comes first: its memory's end, or its time's.
    ['eats memory', '{{ name | hog }}', /too_large|too_slow/],
    ['ends the thread', '{{ name | die }}', /too_slow/],
  ])('%s, and is ended with its thread', async (_what, text, code) => {
    const pool = openPool({ program: PLANTED, memoryMb: 64 });
    const results = await pool.render([
      job(GOOD),
      job({ text }),
      job(GOOD),
      job({ text: `${text} ` }),
      job(GOOD),
    ]);
    expect([0, 2, 4].map((index) => results[index])).toEqual([RENDERED, RENDERED, RENDERED]);
    for (const index of [1, 3]) expect(faultOf(results[index])).toMatch(code);
    // And then goes on as before.
    expect(await pool.render([job(GOOD)])).toEqual([RENDERED]);
  });

  test('is not tried any more after three times', async () => {
    const pool = openPool({ program: PLANTED });
    const spinning = job({ text: '{{ name | spin }}' });
    const results = await pool.render(Array.from({ length: 300 }, () => spinning));
    expect(new Set(results.map(faultOf))).toEqual(new Set(['template_too_slow']));
    const untried = results.filter((result) =>
      JSON.stringify(result).includes('three times within ten minutes'),
    );
    expect(untried).toHaveLength(297);
  });
});

describe('a pool', () => {
  test('answers in the order of the jobs, whatever their number', async () => {
    const pool = openPool();
    const names = Array.from({ length: 1_234 }, (_, index) => `n${String(index)}`);
    const results = await pool.render(
      names.map((name) => ({ source: { text: '{{ name }}' }, setting, own: { name } })),
    );
    expect(results).toEqual(names.map((name) => ({ text: name })));
  });

  test('lets nobody wait for all that another has brought [T20]', async () => {
    const pool = openPool({ program: PLANTED });
    const ended: string[] = [];
    const give = async (of: string, text: string, count: number) => {
      await pool.render(Array.from({ length: count }, () => ({ ...job({ text }), of })));
      ended.push(of);
    };
    // Slow, and never so slow that somebody could be blamed for it.
    const slow = give('slow', '{{ name | nap: 40 }}', 60);
    await Promise.all([slow, give('quick', '{{ name }}', 150), give('other', 'Hi {{ name }}', 50)]);
    expect(ended.at(-1)).toBe('slow');
  });

  test('forgets what it has known for long, and is told again', async () => {
    const pool = openPool();
    const large = 'x'.repeat(150_000);
    for (let turn = 0; turn < 2; turn += 1) {
      for (let index = 0; index < 20; index += 1) {
        const text = `${String(index)}{{ name }}${large}`;
        expect(await pool.render([job({ text }), job(GOOD)])).toEqual([
          { text: `${String(index)}Ada${large}` },
          RENDERED,
        ]);
      }
    }
  });

  test('says that it is busy before it takes more than it can hold', async () => {
    const pool = openPool({ mostWaiting: 10 });
    await expect(pool.render(Array.from({ length: 11 }, () => job(GOOD)))).rejects.toMatchObject({
      code: 'busy',
    });
    expect(await pool.render([job(GOOD)])).toEqual([RENDERED]);
  });

  test('tells those who wait that it was stopped', async () => {
    const pool = openPool({ program: PLANTED });
    const waiting = pool.render([job({ text: '{{ name | spin }}' }), job(GOOD)]);
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'stopped' });
    await pool.close();
    await rejected;
    await expect(pool.render([job(GOOD)])).rejects.toMatchObject({ code: 'stopped' });
  });

  test('says so if no thread starts, and does not hang', async () => {
    const pool = openPool({ program: BROKEN });
    for (let turn = 0; turn < 2; turn += 1)
      await expect(pool.render([job(GOOD)])).rejects.toThrow(
        'templates can not be rendered: no thread starts',
      );
  });

  test('leaves the process free to end', async () => {
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const program = `
      import { RenderPool } from '#pillarbox/templates/render-pool';
      const pool = new RenderPool();
      const [{ text }] = await pool.render([{ source: { text: '{{ a }}' }, setting: { variables: {}, locale: 'en', timezone: 'UTC' }, own: { a: 1 } }]);
      console.log(text);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe('1\n');
  });
});
