import { ErasureReport, PersonData, presentErasure, presentPerson } from '../../presentation/person.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const WithEmail = Type.Object({ email: Type.String() });
const Page = Type.Object(pageQuery, { additionalProperties: false });
const USUAL_PAGE = 50;

export const peopleRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/people/:email',
      operation: 'exportPerson',
      summary:
        'Everything that is kept about an address: messages to it or copied to it (oldest first, page by page), suppression, bounces, what the audit log says; 404 if there is nothing',
      params: WithEmail,
      query: Page,
      answer: PersonData,
    },
    async ({ params, query, workspace }) =>
      presentPerson(
        await workspace.privacy.export(params.email, {
          cursor: query.cursor,
          limit: query.limit ?? USUAL_PAGE,
        }),
      ),
  ),
  route(
    'admin',
    {
      method: 'DELETE',
      url: '/api/people/:email',
      operation: 'erasePerson',
      summary:
        'Erase a person: what waits is cancelled, the rest is blanked; a suppression survives as a keyed hash',
      params: WithEmail,
      answer: ErasureReport,
      errors: ['invalid_config'],
      action: 'person.erase',
      details: false,
    },
    async ({ params, workspace }) => presentErasure(await workspace.privacy.erase(params.email)),
  ),
];
