import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import type { Fault } from '#pillarbox/catcher/behaviour';
import { startCatcher } from '#pillarbox/catcher/catcher';
import type { Mail } from '#pillarbox/core/mail';
import { silent } from '#pillarbox/log/log';
import { verifySmtp } from '#pillarbox/transport/smtp/transport';
import type { SendReport } from 'pillarbox';
import { databases, freshSqlite } from '../databases.js';
import { byHand, outgoing, pass, sendOnce, transportTo, useCatcher, type CatcherScene } from './fixture.js';

/** `failed 550 5.1.1 recipient`: what our own transport made of it. */
function verdict(report: SendReport): string {
  if (report.status === 'sent') return 'sent';
  return `${report.status} ${report.error.code} ${report.error.class}`;
}

describe.each(databases)('a catcher that is told to misbehave, on $name', ({ ready }) => {
  const scene = useCatcher(ready);

  const send = async (to: string, over: Partial<Mail> = {}) =>
    verdict(await sendOnce(scene().url, { to: { email: to }, ...over }));

  test.each([
    ['ada+550@example.org', 'failed 550 5.1.1 recipient', 0],
    ['ada+450@example.org', 'retryable 450 4.2.0 retryable', 0],
    ['ada+421@example.org', 'retryable 421 4.7.0 rate_limited', 0],
    ['ada+data554@example.org', 'failed 554 5.7.1 permanent', 0],
    ['ada+cut@example.org', 'retryable ECLOSED retryable', 0],
    ['ada+drop@example.org', 'in_doubt ECLOSED in_doubt', 1],
    ['ada+slow0@example.org', 'sent', 1],
    ['ada+list@example.org', 'sent', 1],
  ])('%s ends as: %s', async (to, expected, kept) => {
    expect(await send(to)).toBe(expected);
    expect(scene().told).toHaveLength(kept);
    expect(await scene().subjects()).toHaveLength(kept);
  });

  test('one refused recipient does not keep the mail from the others', async () => {
    const cc = [{ email: 'bob+550@example.org' }, { email: 'eve@example.org' }];
    expect(await send('ada@example.org', { cc })).toBe('sent');
    expect(scene().told[0]!.recipients).toEqual(['ada@example.org', 'eve@example.org']);
  });

  test.each<[string, Fault, string]>([
    ['MAIL', { kind: 'refuse', at: 'mail', code: 451, text: '4.3.0 busy' }, 'retryable 451 4.3.0 retryable'],
    ['RCPT', { kind: 'refuse', at: 'rcpt', code: 550, text: '5.1.1 who?' }, 'failed 550 5.1.1 recipient'],
    ['the dot', { kind: 'refuse', at: 'data', code: 554, text: '5.6.0 ugly' }, 'failed 554 5.6.0 permanent'],
    ['hang-ups before the dot', { kind: 'drop', at: 'before_dot' }, 'retryable ECLOSED retryable'],
    ['hang-ups after the dot', { kind: 'drop', at: 'after_dot' }, 'in_doubt ECLOSED in_doubt'],
  ])('a rule for %s strikes until it is taken back', async (_where, fault, expected) => {
    scene().catcher.behave({ fault });
    expect(await send('ada@example.org')).toBe(expected);
    scene().catcher.behave();
    expect(await send('ada@example.org')).toBe('sent');
  });

  test('a rule for some addresses leaves the others alone', async () => {
    scene().catcher.behave({ recipient: 'ada', fault: { kind: 'drop', at: 'before_dot' } });
    expect(await send('ada@example.org')).toBe('retryable ECLOSED retryable');
    expect(await send('bob@example.org')).toBe('sent');
  });

  test('a rule for a share of the mails is drawn once a mail', async () => {
    scene().catcher.behave({
      share: 0.5,
      fault: { kind: 'refuse', at: 'data', code: 451, text: '4.3.0 busy' },
    });
    const transport = transportTo(scene().url, 1);
    const verdicts: string[] = [];
    for (const chance of [0.4, 0.6, 0.4]) {
      scene().chance = chance;
      verdicts.push(verdict(await transport.send(outgoing(), pass)));
    }
    await transport.close();
    expect(verdicts).toEqual(['retryable 451 4.3.0 retryable', 'sent', 'retryable 451 4.3.0 retryable']);
  });

  test.each(['mail', 'rcpt', 'data'] as const)('a delay at %s holds back the answer', async (at) => {
    scene().catcher.behave({ fault: { kind: 'delay', at, ms: 200 } });
    const started = performance.now();
    expect(await send('ada@example.org')).toBe('sent');
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
  });

  test('a rule that makes no sense changes nothing', async () => {
    const fault: Fault = { kind: 'refuse', at: 'rcpt', code: 250, text: 'ok' };
    expect(() => scene().catcher.behave({ fault })).toThrow(/code: is not a refusal/);
    expect(await send('ada@example.org')).toBe('sent');
  });

  test('close does not wait for a slow answer, and the mail was not taken', async () => {
    const slow = await startCatcher({ store: scene().store, port: 0, log: silent });
    const transport = transportTo(slow.url);
    const mail = outgoing({ to: { email: 'ada+slow600@example.org' } });
    let reached = (): void => undefined;
    const handedOver = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const report = transport.send(mail, () => {
      reached();
      return pass();
    });
    await handedOver;
    await slow.close();
    expect(verdict(await report)).toMatch(/^in_doubt/);
    await transport.close();
    expect(await scene().subjects()).toEqual([]);
  });
});

describe('the catcher as a server', () => {
  const scene = useCatcher(freshSqlite);

  test('takes many mails at once on few connections', async () => {
    const transport = transportTo(scene().url, 5);
    const reports = await Promise.all(
      Array.from({ length: 100 }, (_, n) => transport.send(outgoing({ subject: `mail ${n}` }), pass)),
    );
    await transport.close();
    expect(new Set(reports.map(verdict))).toEqual(new Set(['sent']));
    expect(new Set(await scene().subjects()).size).toBe(100);
  });

  test('lets anybody log in, and takes mail from other clients too', async () => {
    const url = scene().url.replace('//', '//any%40user:any%20password@');
    expect(await verifySmtp({ url, hosts: { allowPrivate: true } })).toBeUndefined();
    const client = createTransport({
      host: '127.0.0.1',
      port: scene().catcher.port,
      auth: { user: 'u', pass: 'p' },
      tls: { ca: scene().catcher.certificate },
    });
    await client.sendMail({ from: 'a@example.org', to: 'Zoë <zoë@example.org>', subject: 'Hi', text: 'Hi.' });
    client.close();
    expect(await scene().subjects()).toEqual(['Hi']);
  });

  test.each([
    ['knows it by its address', (ca: string) => ({ ca })],
    ['knows it by its name', (ca: string) => ({ ca, servername: 'localhost' })],
    ['does not ask', () => ({ rejectUnauthorized: false })],
  ])('offers STARTTLS, and takes mail through it from who %s', async (_how, trust) => {
    const { port, certificate } = scene().catcher;
    const tls = { ...trust(certificate), minVersion: 'TLSv1.3' } as const;
    const client = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls });
    await client.sendMail({ from: 'a@example.org', to: 'b@example.org', subject: 'In secret', text: 'Hi.' });
    client.close();
    expect(await scene().subjects()).toEqual(['In secret']);
  });

  test('its certificate is its own, and nobody who does not know it trusts it', async () => {
    const { port } = scene().catcher;
    const { store } = scene();
    const other = await startCatcher({ store, port: 0, log: silent });
    expect(other.certificate).not.toBe(scene().catcher.certificate);
    const client = createTransport({ host: '127.0.0.1', port, tls: { ca: other.certificate } });
    const mail = { from: 'a@example.org', to: 'b@example.org', subject: 'Never', text: 'Hi.' };
    await expect(client.sendMail(mail)).rejects.toThrow(/certificate/);
    client.close();
    await other.close();
    expect(await scene().subjects()).toEqual([]);
  });

  test('our own transport verifies it where it is told to', async () => {
    const { url, certificate: ca } = scene().catcher;
    const verifying = { url: `${url}?tls=starttls`, hosts: { allowPrivate: true } };
    expect(await verifySmtp({ ...verifying, ca })).toBeUndefined();
    expect(await verifySmtp(verifying)).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  test('does not offer it when it is told not to', async () => {
    const { store } = scene();
    const plain = await startCatcher({ store, port: 0, log: silent, startTls: false });
    const client = createTransport({ host: '127.0.0.1', port: plain.port });
    await client.sendMail({ from: 'a@example.org', to: 'b@example.org', subject: 'In clear', text: 'Hi.' });
    client.close();
    await plain.close();
    expect(await scene().subjects()).toEqual(['In clear']);
  });

  test('refuses what is too large, and keeps nothing of it', async () => {
    const body = `${'x'.repeat(998)}\r\n`.repeat(53_000);
    const answers = await byHand(scene().catcher.port, (socket) => socket.write(`${body}.\r\nQUIT\r\n`));
    expect(answers).toMatch(/^552 /m);
    expect(await scene().subjects()).toEqual([]);
  });

  test('keeps nothing of a mail whose sender went away in the middle', async () => {
    const answers = await byHand(scene().catcher.port, (socket) => {
      socket.write('Subject: half\r\n\r\nhalf', () => socket.destroy());
    });
    expect(answers).toMatch(/^354 /m);
    expect(await send(scene(), { subject: 'next' })).toBe('sent');
    expect(await scene().subjects()).toEqual(['next']);
  });

  test('reads bytes that are no mail as well as it can', async () => {
    const nasty = 'Subject: =?UTF-8?Q?a=00b=0D=0Ac?=\r\nX: \xff\r\n\r\n\x00\xff\r\n';
    await byHand(scene().catcher.port, (socket) => socket.write(`${nasty}.\r\nQUIT\r\n`, 'latin1'));
    const [mail] = (await scene().inbox.list({ limit: 1 })).items;
    expect(mail).toMatchObject({ sender: '', subject: expect.stringMatching(/^a.b *c$/) as string });
    expect((await scene().inbox.read(mail!.id)).raw).toEqual(Buffer.from(nasty, 'latin1'));
  });

  test('a port that is taken is said so', async () => {
    const { port } = scene().catcher;
    await expect(startCatcher({ store: scene().store, port, log: silent })).rejects.toMatchObject({
      code: 'invalid_config',
      message: `port: ${port} is in use on 127.0.0.1; give another`,
    });
  });
});

const send = async (scene: CatcherScene, over: Partial<Mail>) => verdict(await sendOnce(scene.url, over));
