import { describe, expect, test } from 'vitest';
import { buildProbeServer } from '#pillarbox/http/probe-server';
import { Metrics } from '#pillarbox/overview/metrics';
import { databases, freshSqlite } from '../databases.js';
import { BUSY, Carrier, failed, TOO_LARGE } from '../engine/carrier.js';
import { freshDatabase } from '../postgres.js';
import { FrozenLine } from '../frozen-line.js';
import { Office, STRANGER } from './office.js';
import { officesOn } from './offices.js';

const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

const NAMES = [
  'messages',
  'due_messages',
  'due_retries',
  'workers',
  'requeued_total',
  'sent_total',
  'attempts_total',
  'dead_total',
  'rescheduled_total',
  'lease_lost_total',
  'unstored_results',
  'attempt_seconds',
  'claim_seconds',
  'queue_delay_seconds',
];

test('a service that is starting is not ready before its banner is true', async () => {
  let starting = true;
  const database = await freshSqlite();
  const office = await Office.open({ databaseUrl: database.url }, { starting: () => starting });
  const status = async () => (await office.call(STRANGER, 'GET', '/readyz')).status;
  expect(await status()).toBe(503);
  starting = false;
  expect(await status()).toBe(200);
  await office.close();
  await database.drop();
});

/** Measures an office as `serve` does. */
function measured() {
  const metrics = new Metrics();
  return { metrics, observer: metrics };
}

describe.concurrent.each(databases)('health on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'is told to anyone; without a database it lives and is not ready',
    onOffice(async (office) => {
      expect(await office.call(STRANGER, 'GET', '/healthz')).toMatchObject({
        status: 200,
        data: { status: 'up' },
      });
      expect(await office.call(STRANGER, 'GET', '/readyz')).toMatchObject({
        status: 200,
        data: { database: 'up' },
      });
      await office.box.stop();
      expect(await office.call(STRANGER, 'GET', '/healthz')).toMatchObject({ status: 200 });
      const unready = await office.call(STRANGER, 'GET', '/readyz');
      expect(unready).toMatchObject({ status: 503, error: { code: 'not_ready' } });
      expect(unready.headers['retry-after']).toBeDefined();
      const metrics = await office.call(STRANGER, 'GET', '/metrics');
      expect(metrics.status).toBe(200);
      expect(metrics.text).toMatch(/^pillarbox_due_messages Nan$/im);
    }),
  );

  test(
    'figures have the promised names, and count what happens',
    onOffice(
      async (office) => {
        const send = (to: string, over: object = {}) =>
          office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, to, ...over });
        await send('ada@example.org');
        await send('busy@example.org');
        await send('large@example.org');
        await send('later@example.org', { mode: 'queue' });
        const { headers, text } = await office.call(STRANGER, 'GET', '/metrics');
        expect(headers['content-type']).toMatch(/^text\/plain/);
        for (const name of NAMES) expect(text).toMatch(new RegExp(`^# TYPE pillarbox_${name} `, 'm'));
        const lines = text.split('\n');
        expect(lines).toEqual(
          expect.arrayContaining([
            'pillarbox_messages{state="sent",lane="outbox"} 1',
            'pillarbox_messages{state="retry_scheduled",lane="outbox"} 1',
            'pillarbox_messages{state="dead",lane="outbox"} 1',
            'pillarbox_messages{state="scheduled",lane="outbox"} 1',
            'pillarbox_messages{state="sending",lane="outbox"} 0',
            'pillarbox_due_messages 1',
            'pillarbox_due_retries 0',
            'pillarbox_sent_total{lane="outbox",transport="carrier"} 1',
            'pillarbox_attempts_total{outcome="success",class="none"} 1',
            'pillarbox_attempts_total{outcome="failed",class="retryable"} 1',
            'pillarbox_attempts_total{outcome="failed",class="permanent"} 1',
            'pillarbox_dead_total{reason="permanent_error"} 1',
            'pillarbox_attempt_seconds_count 3',
            'pillarbox_queue_delay_seconds_count 3',
          ]),
        );
        expect(text).toMatch(/^process_cpu_seconds_total /m);
        expect(text).not.toContain('example.org');
      },
      { carrier: new Carrier(conduct), ...measured() },
    ),
  );

  test(
    'a process that only works tells the same, and nothing else',
    onOffice(async (office) => {
      const app = buildProbeServer({ box: office.box, metrics: new Metrics() });
      const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
      expect(await statusOf('/healthz')).toBe(200);
      expect(await statusOf('/readyz')).toBe(200);
      expect((await app.inject({ url: '/metrics' })).body).toContain('pillarbox_due_messages 0');
      expect(await statusOf('/api/messages')).toBe(404);
      expect(await statusOf('/docs')).toBe(404);
      await app.close();
    }),
  );
});

test('a database that stands still is not ready after 2 seconds, and is ready when it goes on [F21]', async () => {
  const database = await freshDatabase();
  const line = await FrozenLine.to(database.url);
  const office = await Office.open({ databaseUrl: line.url });
  const ask = (url: string) => office.call(STRANGER, 'GET', url);
  expect((await ask('/readyz')).status).toBe(200);
  line.freeze();
  // Whoever waits for the database itself has no answer for a long time.
  let heard = false;
  const waiting = office.box.store.now().then(
    () => (heard = true),
    () => (heard = true),
  );
  const [ready, metrics] = await Promise.all([ask('/readyz'), ask('/metrics')]);
  expect(heard).toBe(false);
  expect([ready.status, metrics.status]).toEqual([503, 200]);
  expect((await ask('/healthz')).status).toBe(200);
  line.thaw();
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
  await waiting;
  await office.close();
  await line.close();
  await database.drop();
});

const conduct: Carrier['conduct'] = ({ mail }) => {
  if (mail.to.email === 'busy@example.org') return failed(BUSY);
  return mail.to.email === 'large@example.org' ? failed(TOO_LARGE) : undefined;
};
