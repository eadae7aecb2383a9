import { page } from '../../presentation/shape.js';
import {
  presentTemplate,
  presentTemplateDetail,
  presentTemplatePreview,
  Template,
  TemplateDetail,
  TemplatePreview,
} from '../../presentation/template.js';
import { PreviewInput, TemplateInput } from '../../templates/input.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { route, type Route } from '../route.js';

const closed = { additionalProperties: false } as const;
const MB = 1024 * 1024;
/** All letters of the largest one as escapes. */
const BODY_LIMIT = 4 * MB;
const WithId = Type.Object({ id: Type.String() });
const WhichVersion = Type.Object({ version: Type.Optional(Type.String({ maxLength: 40 })) }, closed);

export const templateRoutes: readonly Route[] = [
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/templates',
      operation: 'saveTemplate',
      summary:
        'A text of a template, in one version and locale; 409 for another than the one that mail has left with',
      body: TemplateInput,
      bodyLimit: BODY_LIMIT,
      example: {
        ...{ id: 'booked', version: 'v1', locale: 'en', subject: 'Booked: {{ room }}' },
        ...{ html: '<p>Room {{ room }}</p>', fallbackLocale: 'en' },
      },
      answer: Template,
      errors: ['conflict', 'busy'],
    },
    async ({ body, workspace }) => presentTemplate(await workspace.templates.save(body)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/templates',
      operation: 'listTemplates',
      summary: 'Every text of every version, newest first; a page with much text in it ends sooner',
      query: Type.Object(pageQuery, closed),
      answer: page(Template),
    },
    async ({ query, workspace }) => {
      const { items, nextCursor } = await workspace.templates.list(query);
      return { items: items.map(presentTemplate), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/templates/preview',
      operation: 'previewTemplate',
      summary: 'As a reader would get it: of an event, of a payload, or of values that are made up',
      body: PreviewInput,
      example: { id: 'open-seat', locale: 'en' },
      answer: TemplatePreview,
      errors: ['not_found', 'busy'],
    },
    async ({ body, workspace }) => presentTemplatePreview(await workspace.templates.preview(body)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/templates/:id',
      operation: 'getTemplate',
      summary: 'One version with all its locales; without `version` the newest',
      params: WithId,
      query: WhichVersion,
      answer: TemplateDetail,
    },
    async ({ params, query, workspace }) =>
      presentTemplateDetail(await workspace.templates.get(params.id, query.version)),
  ),
];
