import { ENROLMENT_STATES } from '../../core/campaign.js';
import { PeopleInput } from '../../campaigns/input.js';
import { invalidInput } from '../../core/errors.js';
import {
  Enrolled,
  LeftOut,
  PersonInCampaign,
  presentPersonInCampaign,
  Removed,
} from '../../presentation/campaign.js';
import { page } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const WithId = Type.Object({ id: Type.String() });
const Word = Type.Optional(Type.String({ maxLength: 100 }));
const CONCERN = {
  maxLength: 300,
  description:
    'Whom a warning of the dry run is about, as it names it: `others`, or `lacks:contact.attributes.company`',
} as const;
const PeopleFilter = Type.Object(
  {
    ...{ ...pageQuery, status: Type.Optional(Type.Enum([...ENROLMENT_STATES])), q: Word },
    step: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'The step that comes next, or is held.' }),
    ),
    accountId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The account that writes to them.' }),
    ),
    concern: Type.Optional(Type.String({ ...CONCERN, description: `${CONCERN.description}; alone.` })),
  },
  closed,
);
/** Who is in a campaign. */
export const campaignPeopleRoutes: readonly Route[] = [
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns/:id/prospects',
      operation: 'enrolProspects',
      summary: 'Put people at the end of its line; who is in it already is skipped',
      params: WithId,
      body: PeopleInput,
      example: { contactIds: ['con_3k'] },
      answer: Enrolled,
      errors: ['conflict'],
    },
    ({ params, body, workspace }) => workspace.campaigns.enrol(params.id, body.contactIds),
  ),
  route(
    'operate',
    {
      method: 'DELETE',
      url: '/api/campaigns/:id/prospects',
      operation: 'removeProspects',
      summary: 'Take people out; what waits of theirs is cancelled',
      params: WithId,
      body: PeopleInput,
      example: { contactIds: ['con_3k'] },
      answer: Removed,
    },
    ({ params, body, workspace }) => workspace.campaigns.takeOut(params.id, body.contactIds),
  ),
  route(
    'operate',
    {
      method: 'PATCH',
      url: '/api/campaigns/:id/prospects/:contactId',
      operation: 'changeProspect',
      summary: 'Pause one person, or let him go on',
      params: Type.Object({ id: Type.String(), contactId: Type.String() }),
      body: Type.Object({ status: Type.Enum(['active', 'paused']) }, closed),
      example: { status: 'paused' },
      answer: Type.Object({ status: Type.Enum(['active', 'paused']) }),
      errors: ['conflict'],
    },
    async ({ params, body, workspace }) => {
      await workspace.campaigns.setPerson(params.id, params.contactId, body.status);
      return { status: body.status };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/campaigns/:id/people',
      operation: 'listCampaignPeople',
      summary:
        'Its people, and how far each is; `q`: how a name or an address begins. A page may be short, also empty, before the last',
      params: WithId,
      query: PeopleFilter,
      answer: page(PersonInCampaign),
    },
    async ({ params, query, workspace }) => {
      const { campaigns } = workspace;
      const { concern, limit, cursor, ...filter } = query;
      if (concern !== undefined && Object.keys(filter).length > 0)
        throw invalidInput('concern', `stands alone: drop ${Object.keys(filter).join(' and ')}`);
      const { items, nextCursor } = await (concern === undefined
        ? campaigns.people(params.id, query)
        : campaigns.concerned(params.id, { limit, cursor, concern }));
      return { items: items.map(presentPersonInCampaign), nextCursor };
    },
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/campaigns/:id/leave-out',
      operation: 'leaveProspectsOut',
      summary: 'Take out whom a warning of the dry run is about; `more`: not all of them yet, ask again',
      params: WithId,
      body: Type.Object({ concern: Type.String(CONCERN) }, closed),
      example: { concern: 'others' },
      answer: LeftOut,
    },
    ({ params, body, workspace }) => workspace.campaigns.leaveOut(params.id, body.concern),
  ),
];
