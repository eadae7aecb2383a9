import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt, TOO_LARGE } from '../engine/carrier.js';
import { barrier } from '../engine/signal.js';
import { STRANGER, type Caller, type Office } from './office.js';
import { officesOn } from './offices.js';

const SECRET = 'the-secret-of-the-timer';
const TIMER: Caller = { headers: { authorization: `Bearer ${SECRET}` } };
const URL = '/api/cron/send-emails';
const NOTHING = { claimed: 0, sent: 0, retried: 0, rescheduled: 0, dead: 0, held: 0 };

const put = async (office: Office, to: readonly string[], over: object = {}): Promise<void> => {
  const messages = to.map((each) => ({
    to: `${each}@example.org`,
    subject: 'Hello',
    text: 'Hello.',
    ...over,
  }));
  const { data } = await office.call(office.admin, 'POST', '/api/outbox/bulk', { messages });
  expect(data).toMatchObject({ accepted: to.length });
};

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `r${n}`);

describe.concurrent.each(databases)('the cron route on $name', (database) => {
  const onOffice = officesOn(database);
  const answer = barrier();

  test(
    'is not there without a secret, and not for those who do not know it [T7]',
    onOffice(async (office) => {
      expect(await office.call(TIMER, 'POST', URL)).toMatchObject({ status: 404 });
      expect(await office.call({ headers: { authorization: 'Bearer undefined' } }, 'GET', URL)).toMatchObject(
        { status: 404 },
      );
    }),
  );

  test(
    'sends what is due without a worker, and says what became of it',
    onOffice(
      async (office) => {
        for (const caller of [STRANGER, office.admin, { headers: { authorization: `Bearer ${SECRET}x` } }]) {
          expect(await office.call(caller, 'POST', URL)).toMatchObject({ status: 401 });
        }
        await put(office, ['ada', 'busy', 'large', 'bob']);
        await put(office, ['doubt'], { onDoubt: 'hold' });
        await put(office, ['later'], { sendAt: '2099-01-01T00:00:00Z' });
        expect(await office.call(TIMER, 'POST', URL)).toMatchObject({
          status: 200,
          data: { claimed: 5, sent: 2, retried: 1, rescheduled: 0, dead: 1, held: 1 },
        });
        expect(await office.call(TIMER, 'GET', URL)).toMatchObject({ status: 200, data: NOTHING });
        expect(office.carrier.left.map(({ mail }) => mail.to.email).sort()).toEqual([
          'ada@example.org',
          'bob@example.org',
          'doubt@example.org',
        ]);
      },
      { cronSecret: SECRET, carrier: new Carrier(conduct) },
    ),
  );

  test(
    'two at once, beside a worker, send everything once',
    onOffice(
      async (office) => {
        await put(office, numbered(120));
        await office.box.start();
        const passes = await Promise.all([1, 2].map(() => office.call(TIMER, 'POST', URL)));
        for (const { status } of passes) expect(status).toBe(200);
        await office.carrier.until('all mails', () => office.carrier.left.length >= 120);
        expect(new Set(office.carrier.left.map(({ id }) => id)).size).toBe(120);
        expect(office.carrier.left).toHaveLength(120);
      },
      { cronSecret: SECRET },
    ),
  );

  test(
    'one pass takes no more than it may, and the next goes on',
    onOffice(async (office) => {
      await put(office, numbered(30));
      expect(await office.box.pass({ limit: 12 })).toEqual({ ...NOTHING, claimed: 12, sent: 12 });
      expect(await office.box.pass()).toEqual({ ...NOTHING, claimed: 18, sent: 18 });
    }),
  );

  test(
    'a server that does not answer keeps it no longer than it may take, and the mail goes on',
    onOffice(
      async (office) => {
        await put(office, ['slow', 'ada']);
        // The slow one has no answer before it is over; the other has seconds for what takes moments.
        expect(await office.box.pass({ seconds: 5 })).toEqual({ ...NOTHING, claimed: 2, sent: 1 });
        answer.open();
        await office.carrier.until('the slow one', () => office.carrier.left.length === 2);
      },
      { carrier: new Carrier(slowUntil(answer.wait)) },
    ),
  );
});

const conduct: Carrier['conduct'] = (message, gate, nth) => {
  switch (message.mail.to.email) {
    case 'busy@example.org':
      return failed(BUSY);
    case 'large@example.org':
      return failed(TOO_LARGE);
    case 'doubt@example.org':
      return afterTheGate(() => inDoubt())(message, gate, nth);
    default:
      return undefined;
  }
};

/** One mail's answer takes as long as it is told. */
const slowUntil =
  (answered: Promise<void>): Carrier['conduct'] =>
  async ({ mail }) => {
    if (mail.to.email === 'slow@example.org') await answered;
    return undefined;
  };
