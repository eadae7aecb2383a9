import { describe, expect, test } from 'vitest';
import type { SendReport } from '#pillarbox/core/report';
import { createPillarbox } from '#pillarbox/library/pillarbox';
import {
  senderTransport,
  type MailMessage,
  type MailSender,
  type MailSendResult,
} from '#pillarbox/transport/mail-sender';
import { ReliableMailSender, reliableTransport } from '#pillarbox/transport/reliable-mail-sender';
import type { Outgoing, Transport } from '#pillarbox/transport/transport';
import { freshSqlite } from '../databases.js';

const MESSAGE: MailMessage = {
  ...{ to: { email: 'ada@example.org' }, subject: 'A seat is open', text: 'Run', dedupeKey: 'k:1' },
};
const SENT: MailSendResult = { status: 'sent', provider: 'post', providerMessageId: 'p1' };
const told = (status: 'retryable' | 'failed' | 'in_doubt', code: string, retryAfterSeconds?: number) => ({
  ...{ status, provider: 'post' },
  error: { code, message: code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
});
const REFUSED = told('retryable', 'ECONNREFUSED');

/** Answers one after the other; the last stays. */
class Script implements MailSender {
  readonly seen: MailMessage[] = [];
  constructor(private readonly answers: readonly (MailSendResult | Error)[]) {}
  send(message: MailMessage): Promise<MailSendResult> {
    this.seen.push(message);
    const answer = this.answers[Math.min(this.seen.length, this.answers.length) - 1]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

const quick = { waitsMs: [1, 1] };

describe('a sender that tries again by itself', () => {
  test.each([
    ['what is sent', [SENT], 1, 'sent'],
    ['what was refused at first', [REFUSED, REFUSED, SENT], 3, 'sent'],
    ['what is refused all the time', [REFUSED], 3, 'retryable'],
    ['what is refused for good', [told('failed', 'INVALID_RECIPIENT'), SENT], 1, 'failed'],
    ['what is to be waited for', [told('retryable', 'GREYLISTED', 300), SENT], 1, 'retryable'],
    ['what may have left', [told('in_doubt', 'ECONNRESET'), SENT], 1, 'in_doubt'],
    ['what throws', [new Error('bug'), SENT], 1, 'in_doubt'],
  ] as const)('%s', async (_what, answers, tries, status) => {
    const script = new Script(answers);
    expect(await new ReliableMailSender(script, quick).send(MESSAGE)).toMatchObject({ status });
    expect(script.seen).toHaveLength(tries);
  });

  const transportOf = (send: Transport['send']): Transport => ({
    ...{ kind: 'post', capacity: 1, send, close: () => Promise.resolve() },
  });
  const report: SendReport = {
    ...{ status: 'retryable', provider: 'post' },
    error: { class: 'retryable', scope: 'account', code: 'ECONNREFUSED', message: 'refused' },
  };

  test('over a transport never after its gate was asked', async () => {
    for (const isAsked of [false, true]) {
      let tries = 0;
      const transport = transportOf(async (_message, gate) => {
        tries += 1;
        if (isAsked) await gate();
        return report;
      });
      await reliableTransport(transport, [1, 1]).send({} as Outgoing, () => Promise.resolve(true));
      expect(tries).toBe(isAsked ? 1 : 3);
    }
  });

  test('brings each mail by the same id, whatever is tried', async () => {
    const ids: string[] = [];
    const transport = transportOf(async ({ messageId, mail }, gate) => {
      ids.push(`${messageId} ${mail.from.email}`);
      return ids.length < 2 ? report : (await gate(), { status: 'sent', provider: 'post' });
    });
    const sender = new ReliableMailSender(transport, { ...quick, from: 'box@example.org' });
    expect(await sender.send(MESSAGE)).toEqual({ status: 'sent', provider: 'post' });
    expect(new Set(ids).size).toBe(1);
    expect(() => new ReliableMailSender(transport, { from: 'nobody' })).toThrow('from');
    const broken = transportOf(() => Promise.reject(new Error('bug')));
    expect(await new ReliableMailSender(broken, quick).send(MESSAGE)).toMatchObject({ status: 'retryable' });
  });
});

/** Ack, nack and dead letter of the contract, as our states. */
describe('a sender of one’s own in the engine', () => {
  async function through(answers: readonly (MailSendResult | Error)[], passes = 1) {
    const database = await freshSqlite();
    const script = new Script(answers);
    const box = await createPillarbox({
      databaseUrl: database.url,
      transport: senderTransport(script, { kind: 'own' }),
    });
    try {
      const { id } = await box.outbox.enqueue({
        ...{ to: 'ada@example.org', subject: 'A', text: 'a' },
        retryPolicy: { maxAttempts: 3, delaysSeconds: [0, 0, 0] },
      });
      const states: unknown[] = [];
      for (let pass = 0; pass < passes; pass += 1) {
        await box.pass({ seconds: 5 });
        const { state, attempts, deadReason, lastError } = await box.messages.get(id);
        states.push([state, attempts, deadReason, lastError?.class ?? null]);
      }
      return { states, script, box, id };
    } finally {
      await box.stop();
      await database.drop();
    }
  }

  test('ack: sent, and counted once', async () => {
    const { states, script } = await through([SENT]);
    expect(states).toEqual([['sent', 1, null, null]]);
    expect(script.seen).toMatchObject([{ to: { email: 'ada@example.org' }, subject: 'A', text: 'a' }]);
  });

  test('retryable nack: waits and is tried again, and dead when its tries are used up', async () => {
    const { states } = await through([REFUSED], 3);
    expect(states.at(-1)).toEqual(['dead', 3, 'max_attempts', 'retryable']);
  });

  test('terminal nack: dead at once', async () => {
    const { states } = await through([told('failed', 'template_missing_locale')]);
    expect(states).toEqual([['dead', 1, 'permanent_error', 'permanent']]);
  });

  test('a sender that throws, or answers nothing, leaves a doubt and no second mail unseen', async () => {
    for (const answer of [new Error('bug'), {} as MailSendResult]) {
      const { states } = await through([answer]);
      expect(states[0]).toMatchObject([
        expect.stringMatching(/retry_scheduled|held|scheduled/),
        1,
        null,
        'in_doubt',
      ]);
    }
  });
});
