import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

/** A Sunday: nothing guarded leaves before Monday at nine. */
const SUNDAY = { clock: '2031-03-02T12:00:00Z*1' };
const MAIL = { to: 'bob@example.org', subject: 'News', text: 'Hello.', guarded: true };
const MONDAY_AT_NINE = '2031-03-03T09:00:00.000Z';

const see = async (office: Office, path: string) => (await office.call(office.admin, 'GET', path)).data;
const post = (office: Office, path: string, body: unknown) => office.call(office.admin, 'POST', path, body);
const send = (office: Office, over: object = {}) => post(office, '/api/outbox', { ...MAIL, ...over });
const theAccount = async (office: Office): Promise<string> => {
  const { items } = await see(office, '/api/accounts');
  return (items as readonly { id: string }[])[0]!.id;
};

describe.concurrent.each(databases)('limits on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'guarded mail is queued, and says why it has not left, until when, and the same again',
    onOffice(async (office) => {
      const sent = await send(office);
      expect(sent).toMatchObject({ status: 202, data: { delivered: false, state: 'scheduled' } });
      const { id } = sent.data as { id: string };
      const why = await see(office, `/api/messages/${id}/explain`);
      expect(why).toMatchObject({ reason: 'outside_window', state: 'scheduled' });
      expect(why['sentence']).toContain('The window of account default is shut');
      expect(why['until']).toBe(MONDAY_AT_NINE);
      expect(await see(office, `/api/messages/${id}/explain`)).toEqual(why);
      expect(await see(office, `/api/messages/${id}`)).toMatchObject({
        rescheduleReason: 'outside_window',
        nextAttemptAt: MONDAY_AT_NINE,
        attempts: 0,
      });
    }, SUNDAY),
  );

  test(
    'a lane that is guarded guards all of its mail that says nothing else',
    onOffice(async (office) => {
      await office.call(office.admin, 'PUT', '/api/settings/delivery', {
        lanes: { outbox: { guarded: true } },
      });
      expect(await send(office, { guarded: undefined })).toMatchObject({ status: 202 });
      expect(await send(office, { guarded: false })).toMatchObject({ status: 200 });
    }, SUNDAY),
  );

  test(
    'quota and capacity of an account, of the workspace, of today and of a day to come',
    onOffice(async (office) => {
      const id = await theAccount(office);
      await office.call(office.admin, 'PATCH', `/api/accounts/${id}`, { dailyLimitEmails: 8 });
      for (let n = 0; n < 3; n += 1) await send(office, { sendAt: '2031-03-03T10:00:00Z' });
      expect(await see(office, `/api/quota?accountId=${id}&date=2031-03-03`)).toEqual({
        ...{ date: '2031-03-03', limit: 8, sent: 0, planned: 3, remaining: 5, dayNumber: 1 },
      });
      expect(await see(office, `/api/quota?accountId=${id}`)).toMatchObject({ date: '2031-03-02', limit: 0 });
      expect(await see(office, '/api/quota?date=2031-03-03')).toMatchObject({ limit: 100, planned: 3 });
      expect(await see(office, `/api/accounts/${id}/capacity`)).toMatchObject({
        date: '2031-03-02',
        remaining: 0,
        binding: { kind: 'window' },
        opensAt: MONDAY_AT_NINE,
      });
      expect(await see(office, `/api/accounts/${id}/capacity?date=2031-03-03`)).toMatchObject({
        ...{ limit: 8, used: 0, planned: 3, remaining: 5 },
        binding: { kind: 'limit', period: 'day', max: 8, used: 0 },
      });
    }, SUNDAY),
  );

  test(
    'what is planned against a limit is found, and moved when somebody says so',
    onOffice(async (office) => {
      const id = await theAccount(office);
      await office.call(office.admin, 'PUT', '/api/settings/sending', {
        spacing: { minSeconds: 0, maxSeconds: 0 },
      });
      await office.call(office.admin, 'PATCH', `/api/accounts/${id}`, { dailyLimitEmails: 2 });
      for (const hour of [10, 11, 12]) await send(office, { sendAt: `2031-03-03T${String(hour)}:00:00Z` });
      await send(office, { sendAt: '2031-03-04T03:00:00Z' });
      const check = await see(office, '/api/limits/check');
      expect(check['plate']).toMatchObject({ level: 'look' });
      expect(check['items']).toMatchObject([
        { accountId: id, limit: 'day', when: '2031-03-03', planned: 3, max: 2, over: 1 },
        { accountId: id, limit: 'window', when: '2031-03-04', over: 1 },
      ]);
      expect(await post(office, '/api/limits/fix', {})).toMatchObject({
        status: 200,
        data: { moved: 2, left: 0 },
      });
      expect(await see(office, '/api/limits/check')).toMatchObject({ plate: { level: 'fine' }, items: [] });
    }, SUNDAY),
  );

  test(
    'a change of settings is seen before it is saved, and nothing is saved',
    onOffice(async (office) => {
      for (let n = 0; n < 4; n += 1) await send(office);
      const before = await see(office, '/api/settings/sending');
      const preview = await post(office, '/api/settings/sending/preview', { sendingDays: [2] });
      expect(preview).toMatchObject({
        status: 200,
        data: {
          moved: 4,
          days: [
            { date: '2031-03-03', now: 4, then: 0 },
            { date: '2031-03-04', now: 0, then: 4 },
          ],
          campaigns: [],
        },
      });
      expect(await see(office, '/api/settings/sending')).toEqual(before);
      expect(await post(office, '/api/settings/sending/preview', { sendingDays: [] })).toMatchObject({
        status: 400,
      });
    }, SUNDAY),
  );

  test(
    'what saving would do is a sentence, in both directions; of nothing changed it says what holds',
    onOffice(async (office) => {
      for (let n = 0; n < 4; n += 1) await send(office);
      await send(office, { sendAt: '2031-03-13T10:00:00Z' });
      const plate = async (change: object) =>
        (await post(office, '/api/settings/sending/preview', change)).data['plate'];
      expect(await plate({})).toEqual({
        level: 'fine',
        sentence: 'Campaign mail may leave Mon to Fri 09:00–18:00 UTC.',
        evidence:
          '45 hours a week, at most 100 mails a day, all accounts together. Notifications and outbox mail do not wait for this.',
      });
      expect(await plate({ sendingDays: [2] })).toEqual({
        level: 'look',
        sentence: 'Saving would move 5 mails.',
        evidence:
          'No mail would leave earlier. Campaign mail would leave Tue 09:00–18:00 UTC. Now: Mon to Fri 09:00–18:00 UTC.',
      });
      expect(await plate({ sendingDays: [1, 2, 3, 4, 5, 7] })).toMatchObject({
        sentence: 'Saving would move 4 mails.',
        evidence: expect.stringMatching(/^No mail would leave later\./),
      });
      expect(await plate({ dailyQuota: 60 })).toMatchObject({ sentence: 'Saving would move no mail.' });
      expect(await plate({ dailyQuota: 0 })).toMatchObject({ level: 'act' });
      const preview = await post(office, '/api/settings/sending/preview', { startHour: 8 });
      expect(preview.data['window']).toEqual({
        now: { open: false, opensAt: MONDAY_AT_NINE, closesAt: '2031-03-03T18:00:00.000Z' },
        then: {
          ...{ open: false, opensAt: '2031-03-03T08:00:00.000Z' },
          closesAt: '2031-03-03T18:00:00.000Z',
        },
      });
    }, SUNDAY),
  );

  test(
    'an account tells its days to come, what would leave when, and everything that holds for it',
    onOffice(async (office) => {
      const id = await theAccount(office);
      await office.call(office.admin, 'PATCH', `/api/accounts/${id}`, {
        ...{ dailyLimitEmails: 6, rampUp: { enabled: true, start: 2, step: 2 } },
        limits: [{ action: 'email', period: 'week', max: 10 }],
      });
      for (let n = 0; n < 5; n += 1) await send(office);
      const pace = await see(office, `/api/accounts/${id}/pace`);
      expect(pace).toMatchObject({
        ...{ accountId: id, action: 'email', limit: 6, total: 100, rampUp: { start: 2, step: 2 }, number: 1 },
        ...{ timezone: 'UTC', opensAt: MONDAY_AT_NINE, closesAt: '2031-03-03T18:00:00.000Z' },
        ...{ sent: [], planned: [], next: MONDAY_AT_NINE },
      });
      const days = pace['days'] as readonly { planned: number }[];
      expect(days).toHaveLength(15);
      expect(days.slice(0, 4)).toEqual([
        { number: 1, date: '2031-03-02', sent: 0, planned: 0, quota: 2 },
        { number: 2, date: '2031-03-03', sent: 0, planned: 2, quota: 4 },
        { number: 3, date: '2031-03-04', sent: 0, planned: 3, quota: 6 },
        { number: 4, date: '2031-03-05', sent: 0, planned: 0, quota: 6 },
      ]);
      expect(pace['facts']).toEqual([
        { name: 'Emails a day', value: '0 of 6 used', from: 'own' },
        { name: 'Ramp-up', value: '2 on day 1, binds now', from: 'own' },
        { name: 'Emails a week', value: '0 of 10 used', from: 'own' },
        { name: 'All accounts, a day', value: '0 of 100 used', from: 'workspace' },
        { name: 'Spacing', value: '30 to 90 s', from: 'workspace' },
        { name: 'Days, hours', value: 'Mon to Fri 09:00–18:00 UTC', from: 'workspace' },
        { name: 'Health, 7 days', value: 'nothing bounced; limit 5 %', from: 'workspace' },
      ]);
    }, SUNDAY),
  );

  test(
    'how near accounts are to their limits, and what all have planned by day',
    onOffice(async (office) => {
      const id = await theAccount(office);
      await office.call(office.admin, 'PATCH', `/api/accounts/${id}`, {
        ...{ dailyLimitEmails: 3, limits: [{ action: 'email', period: 'month', max: 40 }] },
      });
      await send(office);
      for (const hour of [10, 11, 12, 13]) await send(office, { sendAt: `2031-03-03T${hour}:00:00Z` });
      expect(await see(office, '/api/limits/near')).toEqual({
        items: [
          {
            ...{ accountId: id, action: 'email', closestMs: null },
            periods: {
              hour: null,
              day: { used: 0, planned: 1, max: 3 },
              week: null,
              month: { used: 0, planned: 5, max: 40 },
            },
          },
        ],
        days: [{ date: '2031-03-03', planned: 4, room: 3 }],
      });
      const { data } = await office.call(
        await office.key(['read'], await office.workspace('elsewhere')),
        'GET',
        '/api/limits/near',
      );
      expect(data).toEqual({ items: [], days: [] });
    }, SUNDAY),
  );

  test.each([
    ['/api/accounts/acc_nobody/pace', 404],
    ['/api/accounts/acc_1/pace?action=inmail', 400],
    ['/api/quota?date=tomorrow', 400],
    ['/api/quota?date=2031-02-30', 400],
    ['/api/quota?accountId=acc_nobody', 404],
    ['/api/quota?action=fly', 400],
    ['/api/accounts/acc_nobody/capacity', 404],
  ])('%s is answered with %i', (path, status) =>
    onOffice(async (office) => {
      expect(await office.call(office.admin, 'GET', path)).toMatchObject({ status });
    })(),
  );
});
