import type { ContactView } from '../contacts/contacts.js';
import { SUPPRESSION_REASONS } from '../core/suppression.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso } from './instant.js';
import { instant, list, nullable, text, whole, word } from './shape.js';
import { LaneWord } from './words.js';

const Attributes = Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  examples: [{ company: 'Fjordhus', rooms: 12 }],
});

export const Contact = Type.Object(
  {
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
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Contact' },
);
export type Contact = Static<typeof Contact>;

export const presentContact = (contact: ContactView): Contact => ({
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
  createdAt: iso(contact.createdAt),
  updatedAt: iso(contact.updatedAt),
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
  },
  { title: 'ImportedFile' },
);
