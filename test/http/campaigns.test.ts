import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

/** A Monday before nine; the clock does as good as not move. */
const MONDAY = {
  clock: '2031-03-03T06:00:00Z*1',
  secret: 'a secret of some length, for tests',
  allowPrivateHosts: true,
};
const STEPS = [
  { order: 1, delayDays: 0, subject: 'Hello', body: 'Dear {{ contact.name }}' },
  { order: 2, delayDays: 2, body: 'How is {{ contact.attributes.company }}?' },
];
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada', attributes: { company: 'Engines' } },
  { email: 'bob@example.org', name: 'Bob', attributes: { company: '' } },
  { email: 'cy@example.org' },
];

interface Warned {
  readonly code: string;
  readonly level: string;
  readonly count: number;
  readonly sentence: string;
}

describe.concurrent.each(databases)('campaigns over HTTP on $name', (database) => {
  const onOffice = officesOn(database);
  const on = (act: (office: Office) => Promise<void>) => onOffice(act, MONDAY);
  const call = (office: Office, method: 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
    office.call(office.admin, method, path, body);
  const post = (office: Office, path: string, body?: unknown) => call(office, 'POST', path, body);
  const see = async (office: Office, path: string) => (await office.call(office.admin, 'GET', path)).data;

  const anAccount = async (office: Office): Promise<string> => {
    const { items } = await see(office, '/api/accounts');
    return (items as readonly { id: string }[])[0]!.id;
  };

  async function prepared(office: Office, over: object = {}, people: readonly object[] = PEOPLE) {
    const { ids } = (await post(office, '/api/contacts', { contacts: people })).data as { ids: string[] };
    const sequence = (await post(office, '/api/sequences', { name: 'Hello', steps: STEPS })).data;
    const accountId = await anAccount(office);
    const campaign = { name: 'Spring', sequenceId: sequence['id'], accountIds: [accountId], ...over };
    const id = String((await post(office, '/api/campaigns', campaign)).data['id']);
    expect(await post(office, `/api/campaigns/${id}/prospects`, { contactIds: ids })).toMatchObject({
      data: { enrolled: people.length, skipped: 0 },
    });
    return { id, ids, accountId, url: `/api/campaigns/${id}` };
  }

  const warningsOf = async (office: Office, url: string) => {
    const answer = await post(office, `${url}/plan`);
    expect(answer.status).toBe(200);
    return answer.data['warnings'] as readonly Warned[];
  };

  test(
    'a dry run warns of what templates lack, of people in two campaigns, of no postal address and of a start in the past',
    on(async (office) => {
      const { url } = await prepared(office, { startAt: '2031-03-01T09:00:00Z' });
      await call(office, 'PUT', '/api/settings/sending', { holidays: ['2031-12-25'] });
      const before = await warningsOf(office, url);
      expect(before.map(({ code, level, count }) => [code, level, count])).toEqual([
        ['missing_variable', 'read', 2],
        ['missing_variable', 'read', 1],
        ['no_postal_address', 'read', 1],
        ['start_in_past', 'note', 1],
      ]);
      expect(before.map(({ sentence }) => sentence)).toEqual([
        '2 people have no contact.attributes.company, which step 2 needs; their mail would not be sent.',
        '1 person has no contact.name, which step 1 needs; their mail would not be sent.',
        'The workspace has no postal address; mails leave without one.',
        'Its start is in the past: it begins now, without a burst.',
      ]);
      await call(office, 'PUT', '/api/settings/workspace', { postalAddress: '1 Quay, Oslo' });
      await post(office, `${url}/launch`);
      const other = await prepared(office, {}, PEOPLE.slice(0, 1));
      expect((await warningsOf(office, other.url)).map(({ code, count }) => [code, count])).toEqual([
        ['others', 1],
      ]);
      // It will go on.
      await post(office, `${url}/pause`, {});
      expect(await warningsOf(office, other.url)).toMatchObject([
        { code: 'others', level: 'read', count: 1 },
      ]);
      await post(office, `${url}/stop`);
      expect(await warningsOf(office, other.url)).toEqual([]);
    }),
  );

  test(
    'what could never leave is a block, and its launch 422; one account of two that can is enough',
    on(async (office) => {
      const { url, accountId } = await prepared(office);
      const quota = (dailyLimitEmails: number) =>
        call(office, 'PATCH', `/api/accounts/${accountId}`, { dailyLimitEmails });
      await quota(0);
      expect((await warningsOf(office, url))[0]).toMatchObject({ code: 'does_not_fit', level: 'block' });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 422 });
      expect(await see(office, url)).toMatchObject({ state: 'draft' });
      const transport = { kind: 'smtp', url: 'smtp://127.0.0.1:1' };
      const another = { name: 'desk', type: 'email', emailAddress: 'desk@example.org', transport };
      const second = String((await post(office, '/api/accounts', another)).data['id']);
      await call(office, 'PATCH', url, { accountIds: [accountId, second] });
      const plan = (await post(office, `${url}/plan`)).data;
      expect(plan).toMatchObject({ total: 6 });
      expect((plan['days'] as { accountId: string }[]).every((day) => day.accountId === second)).toBe(true);
      expect((plan['warnings'] as Warned[]).filter(({ level }) => level === 'block')).toEqual([]);
      await call(office, 'PUT', '/api/settings/sending', { dailyQuota: 0 });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 422 });
      await call(office, 'PUT', '/api/settings/sending', { dailyQuota: 100 });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 200, data: { scheduled: 6 } });
    }),
  );

  test(
    'ready-made messages that could never leave are a block as well',
    on(async (office) => {
      const { ids, accountId } = await prepared(office);
      const campaign = { name: 'By hand', accountIds: [accountId] };
      const url = `/api/campaigns/${String((await post(office, '/api/campaigns', campaign)).data['id'])}`;
      const messages = [{ contactId: ids[0], subject: 'Hello', body: 'Dear Ada' }];
      await post(office, `${url}/messages`, { messages });
      await call(office, 'PUT', '/api/settings/sending', { dailyQuota: 0 });
      expect((await warningsOf(office, url))[0]).toMatchObject({ code: 'does_not_fit', level: 'block' });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 422 });
    }),
  );

  test(
    'what an account may send on a day is told with the ramp-up of that day, before the launch and after it',
    on(async (office) => {
      const people = Array.from({ length: 9 }, (_, n) => ({
        ...{ email: `p${n}@example.org`, name: `P${n}`, attributes: { company: 'C' } },
      }));
      const { url, accountId } = await prepared(office, {}, people);
      await call(office, 'PATCH', `/api/accounts/${accountId}`, {
        rampUp: { enabled: true, start: 2, step: 3 },
        dailyLimitEmails: 9,
      });
      const plan = (await post(office, `${url}/plan`)).data;
      const days = plan['days'] as readonly { date: string; count: number; quota: number }[];
      expect(days.map(({ quota }) => quota)).toEqual([2, 5, 8, 9, 9].slice(0, days.length));
      for (const { count, quota } of days) expect(count).toBeLessThanOrEqual(quota);
      expect(plan['capacity']).toMatchObject([
        { accountId, perDay: 2, binding: { kind: 'ramp_up', max: 2, used: 0 }, doneOn: days.at(-1)?.date },
      ]);
      expect((plan['capacity'] as { next: object }[])[0]!.next).toMatchObject({ kind: 'limit', max: 9 });
      await post(office, `${url}/launch`);
      const calendar = (await see(office, `${url}/calendar`))['days'];
      expect(calendar).toEqual(
        days.map(({ date, count, quota }) => ({
          ...{ date, accountId, planned: count, sent: 0, launched: count, quota },
        })),
      );
    }),
  );

  test(
    'a change of settings tells when campaigns would end, in numbers and by name',
    on(async (office) => {
      const { id, url } = await prepared(office, {}, [PEOPLE[0]!]);
      await post(office, `${url}/launch`);
      const preview = async (change: object) =>
        (await post(office, '/api/settings/sending/preview', change)).data['campaigns'] as readonly {
          endsAt: string;
          wouldEndAt: string | null;
        }[];
      const [same] = await preview({});
      expect(same).toMatchObject({ id, name: 'Spring', endsAt: (await see(office, url))['endsAt'] });
      expect(same!.wouldEndAt).toBe(same!.endsAt);
      const [later] = await preview({ sendingDays: [5] });
      expect(later!.endsAt).toBe(same!.endsAt);
      expect(later!.wouldEndAt).toMatch(/^2031-03-07T/);
      expect(await preview({ dailyQuota: 0 })).toMatchObject([{ id, wouldEndAt: null }]);
    }),
  );

  test(
    'what makes no sense is refused with the field, and nothing is kept',
    on(async (office) => {
      const { accountId, url, ids } = await prepared(office);
      const good = { name: 'Spring', accountIds: [accountId] };
      const refused: readonly [string, object][] = [
        ['name', { ...good, name: '' }],
        ['accountIds', { name: 'Spring', accountIds: [] }],
        ['accountIds.0', { ...good, accountIds: ['acc_zzz'] }],
        ['accountIds', { ...good, accountIds: [accountId, accountId] }],
        ['sequenceId', { ...good, sequenceId: 'seq_zzz' }],
        ['timezone', { ...good, timezone: 'Europe/Oslo' }],
        ['startAt', { ...good, startAt: 'tomorrow' }],
        ['startAt', { ...good, startAt: '2031-02-30' }],
        ['startAt', { ...good, startAt: 1_930_000_000_000 }],
        ['endAt', { ...good, startAt: '2031-03-05T09:00:00Z', endAt: '2031-03-05T09:00:00Z' }],
        ['dailyLimit', { ...good, dailyLimit: 0 }],
        ['maxNewPerDay', { ...good, maxNewPerDay: -1 }],
        ['prioritize', { ...good, prioritize: 'old' }],
        ['acceptanceDays', { ...good, acceptanceDays: 0 }],
        ['deal', { ...good, deal: 'random' }],
        ['colour', { ...good, colour: 'red' }],
      ];
      const before = ((await see(office, '/api/campaigns'))['items'] as unknown[]).length;
      for (const [field, body] of refused)
        expect([field, await post(office, '/api/campaigns', body)]).toMatchObject([
          field,
          { status: 400, error: { details: { field } } },
        ]);
      expect((await see(office, '/api/campaigns'))['items']).toHaveLength(before);
      const messages = (over: object) => ({ messages: [{ contactId: ids[0], body: 'Hello', ...over }] });
      for (const [field, body] of [
        ['messages.0.contactId', messages({ contactId: 'con_zzz' })],
        ['messages.0.body', messages({ body: '' })],
        ['messages.0.action', messages({ action: 'fax' })],
        ['messages.0.idempotencyKey', messages({ idempotencyKey: '' })],
        ['messages', { messages: [] }],
      ] as const)
        expect([field, await post(office, `${url}/messages`, body)]).toMatchObject([
          field,
          { status: 400, error: { details: { field } } },
        ]);
      expect(await post(office, `${url}/prospects`, { contactIds: ['con_zzz'] })).toMatchObject({
        status: 400,
        error: { details: { field: 'contactIds.0' } },
      });
    }),
  );

  test(
    'one whose end is in the past is not launched; a start in the past begins now, spaced',
    on(async (office) => {
      const { url } = await prepared(office, { startAt: '2031-01-01T00:00:00Z' });
      await call(office, 'PATCH', url, { endAt: '2031-03-01T09:00:00Z' });
      expect((await warningsOf(office, url))[0]).toMatchObject({ code: 'ended', level: 'block' });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 422 });
      await call(office, 'PATCH', url, { endAt: null });
      expect(await post(office, `${url}/launch`)).toMatchObject({ status: 200, data: { scheduled: 6 } });
      // What is planned keeps its end, so another one would be said and not kept.
      expect(await call(office, 'PATCH', url, { endAt: '2031-04-01T09:00:00Z' })).toMatchObject({
        ...{ status: 409, error: { code: 'conflict', details: { field: 'endAt' } } },
      });
      expect(await call(office, 'PATCH', url, { endAt: null, dailyLimit: 3 })).toMatchObject({ status: 200 });
      const { items } = await see(office, `${url}/scheduled-emails`);
      const times = (items as { scheduledFor: string; stepNumber: number }[])
        .filter(({ stepNumber }) => stepNumber === 1)
        .map(({ scheduledFor }) => Date.parse(scheduledFor))
        .sort((one, other) => one - other);
      expect(times[0]).toBeGreaterThanOrEqual(Date.parse('2031-03-03T09:00:00Z'));
      for (const [n, at] of times.slice(1).entries()) expect(at - times[n]!).toBeGreaterThanOrEqual(30_000);
    }),
  );

  test(
    'mails are found by step and by local day, as the calendar counts them',
    on(async (office) => {
      const { id, url, accountId } = await prepared(office);
      await post(office, `${url}/launch`);
      const { days } = (await see(office, `${url}/calendar`)) as unknown as {
        days: { date: string; planned: number }[];
      };
      const mails = async (more: string) =>
        ((await see(office, `/api/messages?campaignId=${id}&${more}`))['items'] as { stepNumber: number }[])
          .length;
      expect(days.length).toBeGreaterThan(1);
      for (const { date, planned } of days) {
        expect(await mails(`day=${date}`)).toBe(planned);
        expect(await mails(`day=${date}&accountId=${accountId}&state=scheduled`)).toBe(planned);
        expect(await mails(`day=${date}&state=sent`)).toBe(0);
      }
      expect(await mails(`day=${days[0]!.date}/${days.at(-1)!.date}`)).toBe(6);
      expect(await mails('day=2031-02-01/2031-02-28')).toBe(0);
      expect(await mails('step=2')).toBe(3);
      expect(await mails('step=3')).toBe(0);
      // What is in flight, late or has ended is found on the day on which it did.
      const page = await see(office, `/api/messages?campaignId=${id}&step=1`);
      const [first] = page['items'] as { id: string }[];
      await post(office, `/api/messages/${first!.id}/cancel`);
      expect(await mails('day=2031-03-03&state=cancelled')).toBe(1);
      const refused = async (query: string) => {
        const { status, error } = await office.call(office.admin, 'GET', `/api/messages?${query}`);
        expect(status).toBe(400);
        return error.details;
      };
      expect(await refused('step=1')).toMatchObject({ field: 'step' });
      expect(await refused('day=2031-03-03')).toMatchObject({ field: 'day' });
      for (const day of ['2031-02-30', '2031-3-3', 'today', '2031-03-04/2031-03-03', '2031-03-03/'])
        expect(await refused(`campaignId=${id}&day=${day}`)).toMatchObject({ field: 'day' });
    }),
  );

  test(
    'whom a warning is about is shown, page by page, and can be left out',
    on(async (office) => {
      const { url, ids } = await prepared(office);
      await post(office, `${url}/launch`);
      const other = await prepared(office, {}, [...PEOPLE, { email: 'dee@example.org' }]);
      const dee = other.ids.at(-1);
      await call(office, 'PUT', '/api/settings/workspace', { postalAddress: '1 Quay, Oslo' });
      await call(office, 'PUT', '/api/settings/sending', { holidays: ['2031-12-25'] });
      const about = async (concern: string, more = '') =>
        await see(office, `${other.url}/people?concern=${concern}${more}`);
      const idsOf = (page: object) =>
        (page as { items: { contactId: string }[] }).items.map(({ contactId }) => contactId);
      const others = (await warningsOf(office, other.url)).find(({ code }) => code === 'others');
      expect(others).toMatchObject({ act: 'leave_out', verb: 'Leave 3 out', concern: 'others' });
      const first = await about('others', '&limit=2');
      expect(idsOf(first)).toEqual(ids.slice(0, 2));
      expect(idsOf(await about('others', `&limit=2&cursor=${String(first['nextCursor'])}`))).toEqual([
        ids[2],
      ]);
      expect(idsOf(await about('lacks:contact.name'))).toEqual([ids[2], dee]);
      expect(idsOf(await about('suppressed'))).toEqual([]);
      await post(office, '/api/suppressions', { email: 'dee@example.org', reason: 'manual' });
      expect(idsOf(await about('suppressed'))).toEqual([dee]);
      expect(idsOf(await about('known'))).toEqual([]);

      // Of the four in it, who would get something, and by when all have had the first of it.
      const { data: run } = await post(office, `${other.url}/plan`);
      expect(run).toMatchObject({ total: 6, mailed: 3, sequenceVersion: 1 });
      expect(String(run['reachesAllAt']) > String(run['firstAt'])).toBe(true);
      expect(String(run['reachesAllAt']) < String(run['lastAt'])).toBe(true);
      expect(await post(office, `${other.url}/leave-out`, { concern: 'others' })).toMatchObject({
        ...{ status: 200, data: { removed: 3, more: false } },
      });
      expect(await post(office, `${other.url}/leave-out`, { concern: 'others' })).toMatchObject({
        data: { removed: 0, more: false },
      });
      expect((await warningsOf(office, other.url)).map(({ code }) => code)).toEqual(['suppressed']);
      // The one in which they are is not touched.
      expect(await see(office, url)).toMatchObject({ waiting: 6, peopleBy: { active: 3 } });
      for (const [query, field] of [
        ['concern=nonsense', 'concern'],
        ['concern=others&q=ada', 'concern'],
        ['concern=others&step=1', 'concern'],
        ['concern=others&cursor=con_zzzz', 'cursor'],
      ])
        expect(await office.call(office.admin, 'GET', `${other.url}/people?${query}`)).toMatchObject({
          ...{ status: 400, error: { details: { field } } },
        });
    }),
  );

  test(
    'one account that ends it, and a day that many keep, are told on their day',
    on(async (office) => {
      const people = Array.from({ length: 30 }, (_, n) => ({
        ...{ email: `p${n}@example.org`, name: `P${n}`, attributes: { company: 'C' } },
      }));
      const { url, accountId } = await prepared(office, { startAt: '2031-12-25T06:00:00Z' }, people);
      await call(office, 'PATCH', `/api/accounts/${accountId}`, { dailyLimitEmails: 2 });
      const transport = { kind: 'smtp', url: 'smtp://127.0.0.1:1' };
      const desk = { name: 'desk@', type: 'email', emailAddress: 'desk@example.org', transport };
      const second = String((await post(office, '/api/accounts', desk)).data['id']);
      await call(office, 'PATCH', url, { accountIds: [accountId, second] });
      const found = (await warningsOf(office, url)) as readonly (Warned & { date: string })[];
      const ends = found.find(({ code }) => code === 'ends_it');
      expect(ends).toMatchObject({ to: `/accounts/${accountId}?tab=limits`, date: expect.any(String) });
      expect(ends!.sentence).toMatch(/ ends it on .*; the others are done on /);
      const kept = found.find(({ code }) => code === 'holiday');
      expect(kept).toMatchObject({ date: '2031-12-25', act: 'make_holiday', verb: 'Make it a holiday' });
      const unknown = (warnings: readonly Warned[]) =>
        warnings.find(({ code }) => code === 'holidays_unknown');
      expect(unknown(found)).toMatchObject({ level: 'note', count: 60, to: '/settings/sending' });
      expect(unknown(found)!.sentence).toBe('The workspace has no holidays: 60 mails could leave on one.');
      await call(office, 'PUT', '/api/settings/sending', { holidays: ['2031-12-25'] });
      const after = (await warningsOf(office, url)) as readonly (Warned & { date: string | null })[];
      expect(after.map(({ date }) => date)).not.toContain('2031-12-25');
      const none = /^The workspace has no holidays of 2032: \d+ mails could leave on one\.$/;
      expect(unknown(after)!.sentence).toMatch(none);
      // Those of a later year say nothing about it.
      await call(office, 'PUT', '/api/settings/sending', { holidays: ['2031-12-25', '2033-12-25'] });
      expect(unknown(await warningsOf(office, url))!.sentence).toMatch(none);
      await call(office, 'PUT', '/api/settings/sending', { holidays: ['2031-12-25', '2032-12-25'] });
      expect(unknown(await warningsOf(office, url))).toBeUndefined();
    }),
  );

  test(
    'its people are found by status, step and account, page by page; what makes no sense is refused with its field',
    on(async (office) => {
      const people = Array.from({ length: 6 }, (_, n) => ({ email: `p${n}@example.org`, name: `P${n}` }));
      const { url, ids, accountId } = await prepared(office, {}, people);
      const transport = { kind: 'smtp', url: 'smtp://127.0.0.1:1' };
      const desk = { name: 'desk@', type: 'email', emailAddress: 'desk@example.org', transport };
      const second = String((await post(office, '/api/accounts', desk)).data['id']);
      await call(office, 'PATCH', url, { accountIds: [accountId, second] });
      const found = async (query: string) => {
        const { items, nextCursor } = (await see(office, `${url}/people?${query}`)) as unknown as {
          items: { contactId: string }[];
          nextCursor: string | null;
        };
        return { ids: items.map(({ contactId }) => contactId), nextCursor };
      };
      // Before it is launched nobody is at a step, nor anybody's.
      expect((await found('step=1')).ids).toEqual([]);
      expect((await found(`accountId=${second}`)).ids).toEqual([]);
      await post(office, `${url}/launch`);
      const { ids: own } = await found(`accountId=${accountId}`);
      const { ids: others } = await found(`accountId=${second}`);
      expect([own.length, others.length]).toEqual([3, 3]);
      expect([...own, ...others].sort()).toEqual(ids.toSorted());
      expect((await found('step=1')).ids).toEqual(ids);
      expect((await found('step=2')).ids).toEqual([]);
      await call(office, 'PATCH', `${url}/prospects/${own[0]!}`, { status: 'paused' });
      expect((await found(`status=paused&step=1&accountId=${accountId}`)).ids).toEqual([own[0]]);
      expect((await found(`status=paused&accountId=${second}`)).ids).toEqual([]);
      const mails = (await see(
        office,
        `/api/messages?campaignId=${url.split('/').at(-1)!}&step=1`,
      )) as unknown as {
        items: { id: string; to: unknown }[];
      };
      const first = mails.items.find(({ to }) => JSON.stringify(to).includes('p5@'));
      expect(await post(office, `/api/messages/${first!.id}/cancel`)).toMatchObject({ status: 200 });
      expect((await found('step=2')).ids).toEqual([ids[5]]);
      // Two and one, by the cursor; who is not asked for is passed by.
      const page = await found(`accountId=${second}&limit=2`);
      expect(page.ids).toEqual(others.slice(0, 2));
      expect(await found(`accountId=${second}&limit=2&cursor=${page.nextCursor!}`)).toEqual({
        ...{ ids: others.slice(2), nextCursor: null },
      });
      expect((await found('accountId=acc_zz')).ids).toEqual([]);
      for (const [query, field] of [
        ['accountId=nonsense', 'accountId'],
        ['accountId=con_1', 'accountId'],
        ['step=0', 'step'],
        ['step=one', 'step'],
        ['status=finished', 'status'],
        ['cursor=acc_1', 'cursor'],
      ])
        expect(await office.call(office.admin, 'GET', `${url}/people?${query}`)).toMatchObject({
          ...{ status: 400, error: { details: { field } } },
        });
    }),
  );

  test(
    'one that ends later than planned says what binds it, and leads to the limits',
    on(async (office) => {
      const { url, accountId } = await prepared(office);
      await post(office, `${url}/launch`);
      expect(await see(office, url)).toMatchObject({
        ...{ holdUp: null, plate: { level: 'fine', sentence: expect.stringMatching(/^On plan\./) } },
      });
      await call(office, 'PATCH', `/api/accounts/${accountId}`, { dailyLimitEmails: 1 });
      await post(office, '/api/limits/fix', {});
      const late = await see(office, url);
      expect(late).toMatchObject({
        plate: {
          level: 'look',
          sentence: expect.stringMatching(
            /^Late by \d+ days\. \S+ ends it \(1 a day, its own\); the last mail leaves /,
          ),
          evidence: expect.stringMatching(/^0 of 6 sent\. The next mail leaves /),
        },
        holdUp: {
          ...{ level: 'look', verb: 'See the limits', to: '/limits' },
          sentence: expect.stringMatching(/ ends it \(1 a day, its own\)\.$/),
        },
      });
      expect((await see(office, '/api/campaigns'))['items']).toMatchObject([{ holdUp: late['holdUp'] }]);
    }),
  );

  test(
    'who paused it, and who stopped it, is said; the first counts',
    on(async (office) => {
      const { url } = await prepared(office);
      await post(office, `${url}/launch`);
      expect(await see(office, url)).toMatchObject({ decidedBy: null });
      await post(office, `${url}/pause`, { reason: 'until the venue is fixed' });
      const { decidedBy, plate } = (await see(office, url)) as unknown as {
        decidedBy: string;
        plate: { sentence: string };
      };
      expect(decidedBy).toBe('key admin');
      expect(plate.sentence).toMatch(
        /^Paused by key admin since .*: “until the venue is fixed”\. 6 mails wait\.$/,
      );
      expect(await see(office, `${url}/resumption`)).toMatchObject({
        sentence: expect.stringMatching(/^Resumed (?:now|today|by .*), .* Counted /),
        endsAt: expect.any(String),
      });
      await post(office, `${url}/resume`);
      expect(await see(office, `${url}/resumption`)).toMatchObject({ sentence: null, endsAt: null });
      expect(await see(office, url)).toMatchObject({ decidedBy: null });
      await post(office, `${url}/stop`);
      expect(await see(office, url)).toMatchObject({
        ...{ decidedBy, plate: { sentence: expect.stringContaining(`Stopped by ${decidedBy} on `) } },
      });
    }),
  );
});
