import { page, text } from '../../presentation/shape.js';
import {
  presentHeads,
  presentTemplate,
  presentTemplateCheck,
  presentTemplateDetail,
  presentTemplatePreview,
  presentTemplateStanding,
  Template,
  TemplateCheck,
  TemplateDetail,
  TemplateHeads,
  TemplatePreview,
  TemplateStanding,
} from '../../presentation/template.js';
import { CheckInput, PreviewInput, TemplateInput, TestInput, VersionInput } from '../../templates/input.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { sendPreview } from '../preview/send.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const closed = { additionalProperties: false } as const;
const MB = 1024 * 1024;
/** All letters of the largest one as escapes. */
const BODY_LIMIT = 4 * MB;
/** The same as a browser encodes it. */
const FORM_LIMIT = 8 * MB;
const Tested = Type.Object({ id: text('msg_4k7q', 'Of the mail that is on its way.') });
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
      bodyLimit: BODY_LIMIT,
      example: { id: 'open-seat', locale: 'en' },
      answer: TemplatePreview,
      errors: ['not_found', 'busy'],
    },
    async ({ body, workspace }) => presentTemplatePreview(await workspace.templates.preview(body)),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/templates/document',
      operation: 'showTemplate',
      summary: 'The html of a preview as a document for a sandboxed frame',
      query: InWorkspace,
      body: PreviewInput,
      framed: true,
      bodyLimit: FORM_LIMIT,
      example: { id: 'open-seat', locale: 'en' },
      answer: document('text/html'),
      errors: ['not_found', 'busy'],
    },
    async ({ body, workspace, reply }) =>
      sendPreview(reply, (await workspace.templates.preview(body)).html, []),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/templates/check',
      operation: 'checkTemplate',
      summary: 'What is wrong with these texts, how many people it hits, and what may be put into them',
      body: CheckInput,
      bodyLimit: BODY_LIMIT,
      example: {
        id: 'open-seat',
        texts: [{ locale: 'en', subject: 'Open', html: '<p>{{ courseTitle }}</p>' }],
      },
      answer: TemplateCheck,
      errors: ['not_found', 'busy'],
    },
    async ({ body, workspace }) => presentTemplateCheck(await workspace.templates.desk.check(body)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/templates/test',
      operation: 'testTemplate',
      summary: 'Send what the preview shows to an address, at once, marked by `X-Pillarbox-Test: 1`',
      body: TestInput,
      bodyLimit: BODY_LIMIT,
      example: { id: 'open-seat', locale: 'en', to: 'me@example.org' },
      answer: Tested,
      errors: ['not_found', 'invalid_config', 'busy'],
    },
    ({ body, workspace }) => workspace.templates.test(body),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/template-heads',
      operation: 'listTemplateHeads',
      summary: 'Templates by their names, with what there is of each and who uses it',
      query: Type.Object(pageQuery, closed),
      answer: TemplateHeads,
    },
    async ({ query, workspace }) => presentHeads(await workspace.templates.desk.heads(query)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/templates/:id/standing',
      operation: 'getTemplateStanding',
      summary: 'Who reads a template, in which versions and locales it is whole, and the events that name it',
      params: WithId,
      query: WhichVersion,
      answer: TemplateStanding,
    },
    async ({ params, query, workspace }) =>
      presentTemplateStanding(await workspace.templates.desk.standing(params.id, query.version)),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/templates/:id/versions',
      operation: 'saveTemplateVersion',
      summary:
        'A version with all its texts in one step; 409 for another text than the one that mail has left with',
      params: WithId,
      body: VersionInput,
      bodyLimit: BODY_LIMIT,
      example: {
        ...{ version: 'v2', isNew: true, fallbackLocale: 'en' },
        texts: [{ locale: 'en', subject: 'Booked: {{ room }}', html: '<p>Room {{ room }}</p>' }],
      },
      answer: TemplateDetail,
      errors: ['conflict', 'busy'],
    },
    async ({ params, body, workspace }) =>
      presentTemplateDetail(await workspace.templates.saveVersion(params.id, body)),
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
