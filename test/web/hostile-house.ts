import { once } from 'node:events';
import { connect } from 'node:net';
import { ScriptedServer, vanish } from '../smtp/scripted-server.js';
import { CONTROLS, numbered } from './hostile-texts.js';
import { aDraft, aSequence, somePeople } from './campaigns.js';
import { planFor } from './guarded.js';
import { untilIs } from './mails.js';
import { inAnHour, publish, subscribe } from './notified.js';
import type { Stage } from './stage.js';

const ALL = numbered();
const LONGEST_NAME = 100;
/** What our own names may be: one line that is seen. */
const NAMES = ALL.filter((text) => !/[\p{Cf}\p{Zl}\p{Zp}]/u.test(text)).map((text) =>
  text.slice(0, LONGEST_NAME).trim(),
);
const LONGEST_FILE_NAME = 255;
const HEADERS_AT_MOST = 50;

export interface HostileHouse {
  /** Dead, one a text: subject, name, and what the server said. */
  readonly dead: readonly string[];
  /** The account of those. */
  readonly account: string;
  /** One of those that are called by a text: the widest. */
  readonly named: string;
  /** One mail with every text in every part of it, and the same as it was caught. */
  readonly everything: string;
  readonly caught: string;
  /** From another program: with what our own mails may not have. */
  readonly foreign: string;
  readonly names: readonly string[];
  /** With people of all these names; one runs, and one is to be launched. */
  readonly campaign: string;
  readonly draft: string;
  /** Called by the widest of them, with all of them as attributes. */
  readonly contact: string;
  /** A file with them in its columns and its cells: one that is in, and one whose columns nobody has chosen. */
  readonly imported: string;
  readonly uploaded: string;
  /** Says those that a template may say. */
  readonly sequence: string;
  /** Of the widest: one of fifty whose topic, type, key and payload are a text each; and who is told of it. */
  readonly event: string;
  readonly subscription: string;
}

/** Every text in every place that takes it. */
export async function hostileHouse(stage: Stage): Promise<HostileHouse> {
  const { account: refused, dead } = await refusedMails(stage);
  let named = '';
  for (const name of NAMES) {
    await stage.call('POST', '/api/keys', { name, scopes: ['read'] });
    const account = await stage.call('POST', '/api/accounts', {
      name,
      displayName: name,
      dailyLimitEmails: 0,
      transport: { kind: 'smtp', url: stage.catcherUrl },
      ...(name.startsWith('p0') && { status: 'paused', pauseReason: name }),
    });
    await planFor(stage, String(account['id']), 1);
    if (named === '' || name.includes('WWW')) named = String(account['id']);
  }
  await stage.call('POST', '/api/users', {
    email: `{{7*7}}'onclick=alert'$\{1}@people.example`,
    role: 'viewer',
  });
  const { id } = await stage.call('POST', '/api/outbox', everyPart());
  await untilIs('sent', String(id), stage);
  await sendRaw(stage.catcherUrl, foreignMail());
  const { items } = (await stage.call('GET', '/api/inbox')) as { items: { id: string; sender: string }[] };
  const [foreign, caught] = items;
  return {
    ...{ dead, named, account: refused, everything: String(id), caught: caught!.id, foreign: foreign!.id },
    names: NAMES,
    ...(await hostileCampaigns(stage, named)),
    ...(await people(stage)),
    ...(await notified(stage)),
  };
}

/** As long as a topic, a type or a name may be. */
const LONGEST_TOPIC = 200;

/** Nobody is told: all of them are snoozed. */
async function notified(stage: Stage): Promise<Pick<HostileHouse, 'event' | 'subscription'>> {
  const made = [];
  for (const [n, text] of ALL.entries()) {
    const topic = text.slice(0, LONGEST_TOPIC);
    const subscription = await subscribe(stage, `hostile${n}`, {
      ...{ topic, name: topic, preferences: { notifyOn: [topic], snoozeUntil: inAnHour() } },
    });
    await stage.call('PATCH', `/api/subscriptions/${subscription}`, { name: `${topic.slice(0, 190)} again` });
    const event = await publish(stage, {
      ...{ topic, type: topic, dedupeKey: topic, traceId: topic, template: { id: topic.slice(0, 100) } },
      payload: { title: text, statusAfter: topic, [topic]: text },
    });
    made.push({ event, subscription });
  }
  return made[ALL.findIndex((text) => text.includes('WWW'))]!;
}

async function hostileCampaigns(
  stage: Stage,
  accountId: string,
): Promise<{ campaign: string; draft: string }> {
  const contactIds = await somePeople(
    stage,
    ALL.length,
    ALL.map((text) => text.slice(0, 200)),
  );
  const [name = ''] = NAMES.filter((text) => text.includes('WWW'));
  const parts = async (steps: number) => ({
    ...{ accountIds: [accountId], contactIds },
    sequenceId: await aSequence(stage, name, steps, '{% raw %}{{ 7 | times: 7 }}<b>{% endraw %}'),
  });
  const resting = { status: 'paused', pauseReason: name };
  await stage.call('PATCH', `/api/accounts/${accountId}`, { ...resting, dailyLimitEmails: 100 });
  const campaign = await aDraft(stage, name, await parts(1));
  await stage.call('POST', `/api/campaigns/${campaign}/launch`);
  await stage.call('POST', `/api/campaigns/${campaign}/pause`, { reason: ALL[2]! });
  return { campaign, draft: await aDraft(stage, name, await parts(2)) };
}

const LONGEST_CONTACT_NAME = 200;
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

async function people(
  stage: Stage,
): Promise<Pick<HostileHouse, 'contact' | 'imported' | 'uploaded' | 'sequence'>> {
  const file = [
    ['email', ...NAMES].map(cell).join(','),
    ...ALL.map((text, n) => [`from-file${n}@example.org`, ...NAMES.map(() => text)].map(cell).join(',')),
    ...ALL.map((text) => cell(text)),
  ].join('\n');
  const uploaded = await stage.upload(NAMES.at(-1)!, file);
  const imported = await stage.upload(NAMES[0]!, file);
  await stage.call('POST', `/api/contacts/imports/${imported}/start`, { mapping: {} });
  await stage.call('POST', '/api/contacts', {
    contacts: ALL.map((text, n) => ({
      ...{ email: `h${n}@example.org`, name: text.slice(0, LONGEST_CONTACT_NAME).trim() },
      attributes: { company: text },
    })),
  });
  const wide = NAMES.find((name) => name.includes('WWW'))!;
  const { id: contact } = await stage.call('POST', '/api/contacts', {
    ...{ email: 'all@example.org', name: wide },
    attributes: Object.fromEntries(NAMES.map((name) => [name, name])),
  });
  // Of the rest a sequence would be refused.
  const texts = ALL.filter((text) => !/\{\{|\{%/.test(text));
  const { id: sequence } = await stage.call('POST', '/api/sequences', {
    name: wide,
    steps: [
      { order: 1, delayDays: 0, subject: texts[0], body: texts.join('\n') },
      ...texts.slice(1, 29).map((text, n) => ({ order: n + 2, delayDays: 1, subject: text, body: text })),
    ],
  });
  await stage.call('POST', '/api/templates/hostile/versions', {
    version: 'v1',
    texts: [
      { locale: 'en', subject: texts[0], html: texts.join('\n') },
      { locale: 'ar', subject: texts[1], text: texts.join('\n') },
    ],
  });
  for (const [n, note] of ALL.entries())
    await stage.call('POST', '/api/suppressions', {
      ...{ email: `noted${n}@example.org`, note: note.slice(0, 500) },
    });
  return { contact: String(contact), imported, uploaded, sequence: String(sequence) };
}

/** A server that refuses each with another of the texts. */
async function refusedMails(stage: Stage): Promise<{ account: string; dead: string[] }> {
  const server: ScriptedServer = await ScriptedServer.start({
    rcpt: (peer) => {
      const [, number] = /refused(\d+)@/.exec(server.commands.at(-1)!)!;
      peer.write(`550 5.1.1 ${ALL[Number(number)]!}\r\n`);
    },
  });
  const { id } = await stage.call('POST', '/api/accounts', {
    name: 'Refused',
    transport: { kind: 'smtp', url: `smtp://127.0.0.1:${server.port}` },
  });
  const dead: string[] = [];
  for (const [n, text] of ALL.entries()) {
    const mail = await stage.call('POST', '/api/outbox', {
      to: { email: `refused${n}@example.org`, name: text.slice(0, 500) },
      ...{ subject: text, text, html: text, accountId: id },
    });
    dead.push(String(mail['id']));
  }
  await Promise.all(dead.map((each) => untilIs('dead', each, stage)));
  // A connection is kept for the next mail, and there is none.
  await server.interject(vanish);
  await server.close();
  return { account: String(id), dead };
}

const everyPart = () => ({
  to: { email: 'ada@example.org', name: ALL[0]! },
  subject: ALL[1]!,
  text: [...ALL, CONTROLS].join('\n'),
  html: [...ALL, CONTROLS].join('\n'),
  headers: Object.fromEntries(ALL.slice(0, HEADERS_AT_MOST).map((text, n) => [`X-Hostile-${n}`, text])),
  attachments: ALL.map((text) => ({
    filename: text.slice(0, LONGEST_FILE_NAME),
    contentType: 'text/html',
    contentBase64: 'eA==',
  })),
  ics: { content: calendar(), method: 'REQUEST' },
});

const calendar = (): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'METHOD:REQUEST'],
    ...[...ALL, `p50 ${CONTROLS}`].flatMap((text, n) => [
      ...['BEGIN:VEVENT', `UID:${n}`, 'DTSTAMP:20260101T090000Z', 'DTSTART:20260301T090000Z'],
      ...[`SUMMARY:${text}`, `LOCATION:${text}`, `DESCRIPTION:${text}`],
      `ORGANIZER;CN="${text.replaceAll('"', '')}":mailto:mara@example.org`,
      'END:VEVENT',
    ]),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

/** Encoded words hold everything, and a file name may say what it likes. */
function foreignMail(): string {
  const word = `=?utf-8?B?${Buffer.from(`foreign ${CONTROLS} \u202Eevil`).toString('base64')}?=`;
  return [
    ...[`From: ${word} <x@example.net>`, 'To: ada@example.org', `Subject: ${word}`, `X-Word: ${word}`],
    ...['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b'],
    ...['Content-Type: text/plain; charset=utf-8', '', `foreign ${CONTROLS} \u202Eevil`, '--b'],
    ...[`Content-Type: text/html; name="${word}"`, `Content-Disposition: attachment; filename="${word}"`],
    ...['', '<script>alert(1)</script>', '--b--', ''],
  ].join('\r\n');
}

async function sendRaw(smtpUrl: string, mail: string): Promise<void> {
  const peer = connect(Number(new URL(smtpUrl).port), '127.0.0.1').setEncoding('utf8');
  const say = async (text: string) => {
    peer.write(text);
    await once(peer, 'data');
  };
  await once(peer, 'data');
  await say('HELO client.example\r\n');
  await say('MAIL FROM:<x@example.net>\r\n');
  await say('RCPT TO:<ada@example.org>\r\n');
  await say('DATA\r\n');
  await say(`${mail}\r\n.\r\n`);
  peer.end('QUIT\r\n');
}
