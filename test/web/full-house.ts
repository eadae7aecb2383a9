import { expect, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { aCampaign } from './campaigns.js';
import { overItsLimit } from './guarded.js';
import { aMailThatIs, BrokenAccount } from './mails.js';
import { aTopic } from './notified.js';
import { aTemplate, suppressed } from './notices.js';
import type { Stage } from './stage.js';

const INVITE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Harbour Rooms//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:viewing@example.org',
  'DTSTAMP:20260101T090000Z',
  'DTSTART:20260301T090000Z',
  'DTEND:20260301T100000Z',
  'SUMMARY:A viewing of the rooms',
  'LOCATION:Harbour 1',
  'ORGANIZER;CN=Mara:mailto:mara@example.org',
  'ATTENDEE;CN=Ada;PARTSTAT=NEEDS-ACTION:mailto:ada@example.org',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** Ids of what there is to see. */
export interface FullHouse {
  readonly sent: string;
  readonly dead: string;
  readonly held: string;
  readonly retrying: string;
  readonly waiting: string;
  readonly account: string;
  readonly paused: string;
  /** More is planned for one of its days than it may send. */
  readonly guarded: string;
  /** Of the sent one, in the development inbox. */
  readonly caught: string;
  readonly fingerprint: string;
  /** Unsubscribed, in a campaign, and written to. */
  readonly contact: string;
  /** With lines that were left out; and one whose columns nobody has chosen. */
  readonly imported: string;
  readonly uploaded: string;
  /** Mails and LinkedIn, in two versions. */
  readonly sequence: string;
  /** The address of an open invitation. */
  readonly invitation: string;
  /** One that runs, and one that is not launched yet. */
  readonly campaign: string;
  readonly draft: string;
  /** With everything that can become of one; and somebody who was told of it. */
  readonly event: string;
  readonly subscription: string;
  /** In three locales, one of them with a slip. */
  readonly template: string;
}

/** Something of every kind that a page can show. */
export async function fullHouse(stage: Stage): Promise<FullHouse> {
  const broken = await BrokenAccount.open(stage);
  const [sent, dead, held, retrying, waiting] = await Promise.all([
    aMailThatIs('sent', stage, {
      subject: 'Your booking at the harbour, with everything that a mail can carry along with it',
      html: '<p>See you <a href="https://example.org/">on Monday</a>.<img src="https://example.org/x.png"></p>',
      attachments: [
        {
          filename: 'terms-and-conditions-of-the-house.pdf',
          contentType: 'application/pdf',
          contentBase64: 'JVBERg==',
        },
      ],
      ics: { content: INVITE, method: 'REQUEST' },
      headers: { 'X-Booking': '4711' },
    }),
    broken.deadMail({ subject: 'Refused by its server' }),
    aMailThatIs('held', stage, { name: 'carla' }),
    aMailThatIs('retrying', stage, { name: 'tadeo' }),
    aMailThatIs('waiting', stage, { name: 'wanda' }),
  ]);
  await broken.close();
  await aMailThatIs('dead', stage, { name: 'b.hale' });
  const paused = await stage.call('POST', '/api/accounts', {
    name: 'Newsletter',
    emailAddress: 'news@example.org',
    transport: { kind: 'smtp', url: stage.catcherUrl },
    status: 'paused',
    pauseReason: 'The house is closed in January.',
  });
  const guarded = await overItsLimit(stage, 'Guarded');
  await stage.call('POST', '/api/accounts', {
    ...{ name: 'Network', type: 'linkedin' },
    transport: { kind: 'unipile', baseUrl: 'http://127.0.0.1:9', apiKey: 'key', accountId: 'there' },
  });
  const people = await peopleOf(stage, broken.id);
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await stage.call('POST', '/api/keys', { name: 'Booking engine', scopes: ['send'], expiresAt });
  const guest = await stage.call('POST', '/api/users', { email: 'guest@people.example', role: 'viewer' });
  await stage.person('operator');
  const template = await aTemplate(stage);
  await suppressed(stage);
  const inbox = (await stage.call('GET', '/api/inbox')) as { items: { id: string; subject: string }[] };
  const groups = (await stage.call('GET', '/api/messages/dead-groups')) as {
    items: { fingerprint: string }[];
  };
  return {
    ...{ sent, dead, held, retrying, waiting, account: broken.id, paused: String(paused['id']), guarded },
    caught: inbox.items.find(({ subject }) => subject.startsWith('Your booking'))!.id,
    ...people,
    template,
    fingerprint: groups.items[0]!.fingerprint,
    invitation: (guest['invitation'] as { url: string }).url,
    ...(await aCampaign(stage)),
    ...(await aTopic(stage)),
  };
}

const GUESTS = 'email;name;company;notes\nanna@example.org;Anna Lind;Fjordhus;met at the fair\nnobody;;;\n';

/** Somebody, the file he came from, and what is written to him. */
async function peopleOf(
  stage: Stage,
  account: string,
): Promise<Pick<FullHouse, 'contact' | 'imported' | 'uploaded' | 'sequence'>> {
  const uploaded = await stage.upload('later.csv', GUESTS);
  const imported = await stage.upload('guests.csv', GUESTS);
  await stage.call('POST', `/api/contacts/imports/${imported}/start`, { mapping: {} });
  await vi.waitFor(
    async () => expect((await stage.call('GET', `/api/contacts/imports/${imported}`))['state']).toBe('done'),
    { interval: 50, timeout: PATIENCE_MS },
  );
  const { id: contact } = await stage.call('POST', '/api/contacts', {
    ...{ email: 'ada@example.org', name: 'Ada Okafor', linkedinId: 'ada-okafor', timezone: 'Europe/London' },
    attributes: { company: 'Quay Mail', rooms: 12 },
  });
  const first = { order: 1, delayDays: 0, subject: 'Rooms for {{ contact.name }}', body: 'Hello.\n' };
  const { id: sequence } = await stage.call('POST', '/api/sequences', {
    name: 'Autumn hosts',
    steps: [first],
  });
  await stage.call('PUT', `/api/sequences/${String(sequence)}`, {
    name: 'Autumn hosts',
    steps: [
      first,
      {
        order: 2,
        delayDays: 2,
        action: 'connection_request',
        body: 'Hello {{ contact.name | default: "there" }}',
      },
      {
        order: 3,
        delayDays: 4,
        delayUnit: 'sendingDays',
        body: '<p>How is {{ contact.attributes.company }}?</p>',
      },
    ],
  });
  const { id: campaign } = await stage.call('POST', '/api/campaigns', {
    ...{ name: 'Autumn', sequenceId: sequence, accountIds: [account] },
  });
  await stage.call('POST', `/api/campaigns/${String(campaign)}/prospects`, { contactIds: [contact] });
  await stage.call('POST', '/api/suppressions', {
    ...{ email: 'ada@example.org', reason: 'unsubscribed', lanes: ['campaign'] },
  });
  return { contact: String(contact), imported, uploaded, sequence: String(sequence) };
}
