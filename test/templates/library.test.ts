import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildJob } from '#pillarbox/core/mail-job';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import { ensureVersion, setFallback, writeText } from '#pillarbox/store/scripts/templates';
import type { Store } from '#pillarbox/store/store';
import { checkTemplate } from '#pillarbox/templates/check';
import { hashOf, TemplateLibrary, type TextJob } from '#pillarbox/templates/library';
import { RenderPool } from '#pillarbox/templates/render-pool';
import { SHIPPED, SHIPPED_VARIABLES } from '#pillarbox/templates/shipped';
import { neededOf } from '#pillarbox/templates/source';
import { eventOf, factsOf, jobOf, PAYLOAD } from '../contracts/jobs.js';
import { databases, type FreshDatabase } from '../databases.js';

const pool = new RenderPool();
afterAll(() => pool.close());

describe.each(databases)('the templates of notifications on $name', ({ ready }) => {
  let database: FreshDatabase;
  let store: Store;
  let library: TemplateLibrary;
  let workspaceId: number;
  let made = 0;

  beforeAll(async () => {
    database = await ready();
    store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
    library = new TemplateLibrary(store, pool);
    workspaceId = await store.transaction(() => ensureWorkspace(store, 'texts', 1));
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const write = (id: string, version: string, locale: string, text: string, fallback?: string) =>
    store.transaction(function* () {
      const { id: versionId } = yield* ensureVersion(store, workspaceId, id, version, 1);
      if (fallback !== undefined) yield* setFallback(store, versionId, fallback);
      const said = { locale, subject: 'S', html: null, text, mjml: null, variables: [] };
      return yield* writeText(store, versionId, { ...said, hash: hashOf({ subject: 'S', text }) }, 2);
    });
  const template = () => `t${(made += 1)}`;
  const jobFor = (id: string, version: string | null, locale: string): TextJob => {
    const event = eventOf(PAYLOAD, { id, version });
    return { workspaceId, event, job: buildJob({ ...factsOf(event), locale }) };
  };
  const say = async (...jobs: readonly TextJob[]) =>
    (await library.renderMany(jobs)).map((told) => ('fault' in told ? told.fault.code : told.text));

  test('a new workspace has one, without a fallback', async () => {
    expect(await library.newestVersion(workspaceId, 'open-seat')).toBe('v1');
    const [told] = await library.renderMany([{ workspaceId, job: jobOf() }]);
    expect(told).toMatchObject({
      ...{ subject: 'A seat is open: Linear Algebra (09214)', version: 'v1', locale: 'en' },
      direction: 'ltr',
      html: expect.stringContaining('<strong>09214</strong>'),
      text: expect.stringContaining('Stop this alert: https://mail.example.org/u/3'),
    });
    expect(await say(jobFor('open-seat', 'v1', 'fr'))).toEqual(['template_missing_locale']);
  });

  test('those who open a workspace at once give it one', async () => {
    const other = await store.transaction(() => ensureWorkspace(store, 'another', 1));
    const libraries = [1, 2, 3].map(() => new TemplateLibrary(store, pool));
    const found = await Promise.all(libraries.map((each) => each.newestVersion(other, 'open-seat')));
    expect(found).toEqual(['v1', 'v1', 'v1']);
  });

  test('are known by id, version and locale, and by nothing else', async () => {
    const id = template();
    await write(id, 'v9', 'fr', 'neuf');
    await write(id, 'v10', 'fr', 'dix');
    expect(await library.newestVersion(workspaceId, id)).toBe('v10');
    expect(await library.newestVersion(workspaceId, 'nothing')).toBeUndefined();
    expect(
      await say(
        jobFor(id, null, 'fr'),
        jobFor(id, 'v9', 'fr'),
        jobFor(id, 'v9', 'fr-CA'),
        jobFor(id, 'v8', 'fr'),
        jobFor('nothing', 'v1', 'fr'),
        { ...jobFor(id, 'v9', 'fr'), workspaceId: workspaceId + 1_000 },
      ),
    ).toEqual([
      ...['dix', 'neuf', 'template_missing_locale'],
      ...['template_not_found', 'template_not_found', 'template_not_found'],
    ]);
  });

  test('fall back only where a version says so, and never into another script', async () => {
    const id = template();
    for (const locale of ['fr', 'zh', 'zh-Hant', 'en']) await write(id, 'v1', locale, locale, 'en');
    const wanted = ['fr-CA', 'fr_CA', 'zh-TW', 'zh-CN', 'de', 'no such thing'];
    expect(await say(...wanted.map((locale) => jobFor(id, 'v1', locale)))).toEqual([
      ...['fr', 'fr', 'zh-Hant', 'zh', 'en', 'en'],
    ]);
  });

  test('one text stays as it is once a mail is about to leave with it; another may be corrected', async () => {
    const id = template();
    await write(id, 'v1', 'en', 'one');
    await write(id, 'v1', 'fr', 'un');
    const looked = await library.renderMany([jobFor(id, 'v1', 'en')], { isLook: true });
    expect(looked).toMatchObject([{ text: 'one' }]);
    expect(await write(id, 'v1', 'en', 'one, corrected')).toBe(true);
    expect(await say(jobFor(id, 'v1', 'en'))).toEqual(['one, corrected']);
    expect(await write(id, 'v1', 'en', 'two')).toBe(false);
    expect(await write(id, 'v1', 'fr', 'une')).toBe(true);
    expect(await write(id, 'v1', 'de', 'eins')).toBe(true);
    expect(await say(...['en', 'fr', 'de'].map((locale) => jobFor(id, 'v1', locale)))).toEqual([
      ...['one, corrected', 'une', 'eins'],
    ]);
  });

  test('what is corrected while it is rendered leaves as it was corrected', async () => {
    const id = template();
    await write(id, 'v1', 'en', 'before');
    const slow = new TemplateLibrary(store, {
      render: async (jobs: Parameters<RenderPool['render']>[0]) => {
        const rendered = await pool.render(jobs);
        await write(id, 'v1', 'en', 'after');
        return rendered;
      },
    } as RenderPool);
    expect(await slow.renderMany([jobFor(id, 'v1', 'en')])).toMatchObject([{ text: 'after' }]);
    expect(await say(jobFor(id, 'v1', 'en'))).toEqual(['after']);
  });

  test('a fault is one job’s; the template may be corrected, and a retry renders anew', async () => {
    const id = template();
    await write(id, 'v1', 'en', '{{ courseTitle }} {{ room }}');
    const [fault] = await library.renderMany([jobFor(id, 'v1', 'en')]);
    expect(fault).toEqual({
      fault: {
        ...{ class: 'permanent', scope: 'message', code: 'template_missing_variable' },
        message: `${id} v1, en, text, line 1: room is not known of this recipient, and the text needs it`,
      },
    });
    expect(await write(id, 'v1', 'en', '{{ courseTitle }} {{ room | default: "-" }}')).toBe(true);
    expect(await say(jobFor(id, 'v1', 'en'))).toEqual(['Linear Algebra -']);
  });

  test('a job that was handed in says what it brought along', async () => {
    const id = template();
    await write(
      id,
      'v1',
      'en',
      '{{ courseTitle }} {{ recipient.name }} {{ eventDetectedAt }} {{ manageUrl }}',
    );
    const job = jobOf(eventOf(PAYLOAD, { id, version: 'v1' }));
    const text = 'Linear Algebra Reader 3 2026-11-16T14:00:00.000Z https://mail.example.org/m/3';
    expect(await say({ workspaceId, job }, jobFor(id, 'v1', 'en'))).toEqual([text, text]);
  });

  test('times are said in the reader’s zone', async () => {
    const id = template();
    await write(id, 'v1', 'en', '{{ eventDetectedAt | time }}');
    const job = jobFor(id, 'v1', 'en');
    expect(await say({ ...job, timezone: 'America/New_York' }, job)).toEqual(['9:00 AM', '2:00 PM']);
  });
});

test('what is shipped reads what it says it does', () => {
  const checked = checkTemplate(SHIPPED);
  expect(checked.faults).toEqual([]);
  expect(neededOf(checked)).toEqual(SHIPPED_VARIABLES);
});
