import type { EnrolmentView } from '../campaigns/views.js';
import type { ContactsStanding as KnownStanding, ContactView } from '../contacts/contacts.js';
import { formatId } from '../core/ids.js';
import { CAMPAIGN_STATES, ENROLMENT_STATES } from '../core/campaign.js';
import { SUPPRESSION_REASONS } from '../core/suppression.js';
import { Type, type Static } from '../vendor/typebox.js';
import { presentImport, Import } from './import.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, text, whole, word } from './shape.js';
import { LaneWord, LevelWord, StateWord } from './words.js';

export const Attributes = Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  examples: [{ company: 'Fjordhus', rooms: 12 }],
});

const fields = {
  id: text('con_1'),
  email: nullable(
    Type.String(),
    'As it was given; compared in its canonical form.',
    'anna.lind@fjordhus.example',
  ),
  name: nullable(Type.String(), undefined, 'Anna Lind'),
  linkedinId: nullable(Type.String(), undefined, 'anna-lind-4b1'),
  timezone: nullable(Type.String(), undefined, 'Europe/Oslo'),
  attributes: Attributes,
  suppression: nullable(
    Type.Object({
      reason: word(SUPPRESSION_REASONS),
      lanes: nullable(list(LaneWord), 'In which lanes; null: in all.'),
      createdAt: instant(),
    }),
    'Why the address is not written to; null: it is.',
  ),
  importId: nullable(Type.String(), 'The last import that named this contact.', 'imp_1'),
  importLine: nullable(Type.Integer(), 'In which line of its file.', 2),
  importDid: nullable(
    Type.String(),
    'What that line did: new, unchanged, or what it updated.',
    'updated: company',
  ),
  createdAt: instant(),
  updatedAt: instant(),
};

/** What is kept of somebody, wherever he stands. */
export const ContactData = Type.Object(fields, { title: 'ContactData' });

export const Contact = Type.Object(
  {
    ...fields,
    campaigns: list(
      Type.Object({ id: text('cmp_3k'), name: text('Autumn'), status: word(ENROLMENT_STATES) }),
      'In which campaigns the person is or was: the three newest.',
    ),
  },
  { title: 'Contact' },
);
export type Contact = Static<typeof Contact>;

export const presentContactData = (contact: Omit<ContactView, 'campaigns'>): Static<typeof ContactData> => ({
  id: contact.id,
  email: contact.emailGiven ?? contact.email,
  name: contact.name,
  linkedinId: contact.linkedinId,
  timezone: contact.timezone,
  attributes: contact.attributes,
  suppression: contact.suppression
    ? {
        reason: contact.suppression.reason,
        lanes: contact.suppression.lanes,
        createdAt: iso(contact.suppression.createdAt),
      }
    : null,
  importId: contact.importId,
  importLine: contact.importLine,
  importDid: contact.importDid,
  createdAt: iso(contact.createdAt),
  updatedAt: iso(contact.updatedAt),
});

export const presentContact = (contact: ContactView): Contact => ({
  ...presentContactData(contact),
  campaigns: contact.campaigns.map(({ campaignId, name, state }) => ({
    ...{ id: formatId('campaign', campaignId), name, status: state },
  })),
});

export const ContactIds = Type.Object({ ids: list(text('con_1'), 'In the order given.') });

export const ImportedFile = Type.Object(
  {
    id: text('imp_1'),
    imported: whole(11_982, 'Contacts that are new.'),
    updated: whole(204, 'Lines that named somebody who was known.'),
    rejected: list(
      Type.Object({
        line: whole(3_107),
        reason: text('email has no @; give one address such as ada@example.org'),
      }),
      'Lines that were left out, the first ten thousand of them.',
    ),
    rejectedTotal: whole(14, 'All lines that were left out.'),
    enrolled: whole(0, 'People who were put into the campaign; who was in it already does not count.'),
    notEnrolled: whole(0, 'People whom it did not take, because it was stopped meanwhile.'),
  },
  { title: 'ImportedFile' },
);

export const ContactsStanding = Type.Object(
  {
    contacts: whole(28_118, 'How many there are, as far as they are counted.'),
    isAll: flag(true, 'False: there are more.'),
    open: list(Import, 'Files that wait or are being imported, newest first.'),
    plate: Type.Object({
      level: LevelWord,
      sentence: text('28,118 contacts.'),
      evidence: text('The last file, guests.csv: imported 7,894, updated 504, left out 14.'),
    }),
  },
  { title: 'ContactsStanding' },
);

export const presentContactsStanding = (
  { contacts, countedTo, open, plate }: KnownStanding,
  now: number,
): Static<typeof ContactsStanding> => ({
  contacts: Math.min(contacts, countedTo),
  isAll: contacts <= countedTo,
  open: open.map((each) => presentImport(each, now)),
  plate,
});

export const Enrolment = Type.Object(
  {
    campaignId: text('cmp_3k'),
    campaign: text('Autumn', 'Its name.'),
    campaignState: word(CAMPAIGN_STATES),
    status: word([...ENROLMENT_STATES, 'finished']),
    steps: list(Type.Object({ order: whole(1), state: StateWord, at: instant() })),
    accountId: nullable(Type.String(), undefined, 'acc_1'),
    nextAt: nullable(instant()),
    why: nullable(Type.String()),
  },
  { title: 'Enrolment' },
);

export const presentEnrolment = (view: EnrolmentView): Static<typeof Enrolment> => ({
  campaignId: view.campaignId,
  campaign: view.campaign,
  campaignState: view.campaignState,
  status: view.status,
  steps: view.steps.map(({ order, state, at }) => ({ order, state, at: iso(at) })),
  accountId: view.accountId,
  nextAt: presentInstant(view.nextAt),
  why: view.why,
});
