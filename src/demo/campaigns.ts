import type { Pillarbox } from '../library/pillarbox.js';
import { Dice } from './dice.js';
import { someGuest } from './guests.js';
import { HOUSE, type SenderName } from './letters/house.js';
import { note } from './stage.js';

type SequenceInput = Parameters<Pillarbox['sequences']['create']>[0];

const DEMO = 'demo';
const GUESTS = 36;
/** Not more: the queue must not begin with a page of what waits for its time. */
const FEW = 8;
const FEWER = 5;
const DAY_MS = 24 * 3_600_000;
const STARTS_IN_DAYS = 10;

const AUTUMN: SequenceInput = {
  name: 'Autumn rooms',
  steps: [
    {
      order: 1,
      delayDays: 0,
      subject: 'The quiet weeks at the harbour, {{ contact.name }}',
      body: `<p>Dear {{ contact.name }},</p><p>from October on the rooms over the water are quiet, and {{ contact.attributes.nights | default: 2 }} nights cost what one did in summer.</p><p>${HOUSE}</p>`,
    },
    { order: 2, delayDays: 3, body: '<p>Shall we keep the room over the boats for you?</p>' },
  ],
};

const TERRACE: SequenceInput = {
  name: 'Terrace again',
  steps: [
    {
      order: 1,
      delayDays: 0,
      subject: 'The terrace opens again',
      body: '<p>Dear {{ contact.name }},</p><p>from Easter on breakfast is outside.</p>',
    },
  ],
};

/**
 * One campaign that runs, one that is planned and begins later, one that waits for an account that Runa has paused, and
 * one that is ready to be launched.
 * Through the doors that everybody uses, in the present: what they send is sent while somebody watches.
 */
export async function setCampaigns(
  box: Pillarbox,
  accounts: Readonly<Record<SenderName, string>>,
): Promise<void> {
  const guests = await addGuests(box);
  const autumn = await box.sequences.create(AUTUMN);
  await note(box, DEMO, 'sequence.create', autumn.id);
  const terrace = await box.sequences.create(TERRACE);
  await note(box, DEMO, 'sequence.create', terrace.id);
  const runs = await draft(box, 'Quiet weeks', autumn.id, [accounts.team], guests.slice(0, FEW));
  const waits = await draft(
    box,
    'Spring terrace',
    terrace.id,
    [accounts.hello],
    guests.slice(FEW, FEW + FEWER),
  );
  const planned = await draft(
    box,
    'Winter letters',
    autumn.id,
    [accounts.news],
    guests.slice(FEW + FEWER, FEW + 2 * FEWER),
    { startAt: new Date((await box.now()) + STARTS_IN_DAYS * DAY_MS).toISOString() },
  );
  await draft(box, 'Spring terrace, everybody else', terrace.id, [accounts.news, accounts.team], guests);
  for (const id of [runs, waits, planned]) {
    await box.campaigns.launch(id);
    await note(box, DEMO, 'campaign.launch', id);
  }
}

async function addGuests(box: Pillarbox): Promise<readonly string[]> {
  const dice = new Dice(GUESTS);
  const guests = new Map<string, { email: string; name: string; attributes: { nights: number } }>();
  while (guests.size < GUESTS) {
    const { email, name } = someGuest(dice);
    guests.set(email, { email, name, attributes: { nights: dice.between(1, 5) } });
  }
  const { ids } = await box.contacts.addMany([...guests.values()]);
  await note(box, DEMO, 'contact.create', null);
  return ids;
}

async function draft(
  box: Pillarbox,
  name: string,
  sequenceId: string,
  accountIds: readonly string[],
  people: readonly string[],
  terms: { readonly startAt?: string } = {},
): Promise<string> {
  const id = await box.campaigns.create({ name, sequenceId, accountIds: [...accountIds], ...terms });
  await box.campaigns.enrol(id, people);
  await note(box, DEMO, 'campaign.create', id, { name });
  return id;
}
