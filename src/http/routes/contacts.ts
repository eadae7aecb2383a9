import { MOST_CONTACTS } from '../../contacts/contacts.js';
import { invalidInput } from '../../core/errors.js';
import {
  Contact,
  ContactIds,
  ContactsStanding,
  Enrolment,
  presentContact,
  presentContactsStanding,
  presentEnrolment,
} from '../../presentation/contact.js';
import { page, text } from '../../presentation/shape.js';
import { ContactShape } from '../../shapes/contact.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
/** As large as ten thousand of them may be. */
const LARGEST_BODY_BYTES = 50 * 1024 * 1024;
const LONGEST_QUESTION = 320;

const WithId = Type.Object({ id: Type.String() });
const Filter = Type.Object(
  {
    ...pageQuery,
    q: Type.Optional(Type.String({ maxLength: LONGEST_QUESTION })),
    importId: Type.Optional(Type.String({ maxLength: 40 })),
    campaignId: Type.Optional(Type.String({ maxLength: 40 })),
  },
  closed,
);
/** One, or many: what is wrong with one of them is told by its place. */
const NewContacts = Type.Object(
  {
    ...ContactShape.properties,
    contacts: Type.Optional(Type.Array(ContactShape, { minItems: 1, maxItems: MOST_CONTACTS })),
  },
  closed,
);

export const contactRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/contacts',
      operation: 'addContacts',
      summary:
        'Add a contact, or many as `contacts`: all of them or none; a known address is updated and keeps its id',
      body: NewContacts,
      example: {
        email: 'anna.lind@fjordhus.example',
        name: 'Anna Lind',
        timezone: 'Europe/Oslo',
        attributes: { company: 'Fjordhus' },
      },
      answer: Type.Union([Type.Object({ id: text('con_1') }), ContactIds]),
      errors: ['conflict'],
      bodyLimit: LARGEST_BODY_BYTES,
    },
    async ({ body: { contacts, ...contact }, workspace }) => {
      if (contacts === undefined) return workspace.contacts.add(contact);
      const [field] = Object.keys(contact);
      if (field !== undefined) throw invalidInput(field, 'does not belong beside contacts');
      return workspace.contacts.addMany(contacts);
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts',
      operation: 'listContacts',
      summary:
        'Contacts, newest first; `q`: an id, how an address begins, or how words of a name or the house of an address begin',
      query: Filter,
      answer: page(Contact),
    },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.contacts.list(query);
      return { items: items.map(presentContact), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/standing',
      operation: 'getContactsStanding',
      summary: 'How many contacts there are, and which files wait or are being imported',
      answer: ContactsStanding,
    },
    async ({ workspace, service: { box } }) =>
      presentContactsStanding(await workspace.contacts.standing(), await box.now()),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/:id/campaigns',
      operation: 'listCampaignsOfContact',
      summary: 'The campaigns in which a contact is or was, newest first, and how far each came',
      params: WithId,
      query: Type.Object(pageQuery, closed),
      answer: page(Enrolment),
    },
    async ({ params, query, workspace }) => {
      await workspace.contacts.get(params.id);
      const { items, nextCursor } = await workspace.campaigns.ofContact(params.id, query);
      return { items: items.map(presentEnrolment), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/:id',
      operation: 'getContact',
      summary: 'One contact, and whether the address is written to',
      params: WithId,
      answer: Contact,
    },
    async ({ params, workspace }) => presentContact(await workspace.contacts.get(params.id)),
  ),
  route(
    'send',
    {
      method: 'PATCH',
      url: '/api/contacts/:id',
      operation: 'updateContact',
      summary: 'Change a contact: what is not given stays, null takes it away, attributes one by one',
      params: WithId,
      body: ContactShape,
      example: { name: 'Anna Lind-Berg', attributes: { rooms: 14, notes: null } },
      answer: Contact,
      errors: ['conflict'],
    },
    async ({ params, body, workspace }) => presentContact(await workspace.contacts.update(params.id, body)),
  ),
  route(
    'send',
    {
      method: 'DELETE',
      url: '/api/contacts/:id',
      operation: 'deleteContact',
      summary: 'Remove a contact: its sequences end; that its address must not be written to stays known',
      params: WithId,
      answer: Type.Object({ id: text('con_1') }),
      action: 'contact.delete',
      details: false,
    },
    async ({ params, workspace }) => {
      await workspace.contacts.remove(params.id);
      return { id: params.id };
    },
  ),
];
