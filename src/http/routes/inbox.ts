import type { Inbox } from '../../catcher/inbox.js';
import { PillarboxError } from '../../core/errors.js';
import { CaughtMail, CaughtPage, presentCaught, presentCaughtMail } from '../../presentation/caught.js';
import { whole } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import type { Workspace } from '../../library/workspace.js';
import { pageQuery } from '../paging.js';
import { countRemoteImages } from '../../presentation/remote-images.js';
import { sendPreview } from '../preview/send.js';
import { document, route, type Route } from '../route.js';
import type { Service } from '../service.js';
import { InWorkspace } from '../where.js';

const Page = Type.Object(pageQuery, { additionalProperties: false });
const WithId = Type.Object({ id: Type.String() });
const USUAL_PAGE = 50;

/** What the built-in catcher took. A mail's own HTML leaves here as text inside of JSON, or as a page that may do nothing. */
export const inboxRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/inbox',
      operation: 'listCaught',
      summary: 'Caught mails, newest first',
      query: Page,
      answer: CaughtPage,
    },
    async ({ query, service, workspace }) => {
      const inbox = inboxOf(service, workspace);
      const { items, nextCursor } = await inbox.list({ limit: USUAL_PAGE, ...query });
      return {
        ...{ items: items.map(presentCaught), nextCursor },
        ...{ total: await inbox.count(), smtpUrl: inbox.smtpUrl ?? null },
      };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/inbox/:id',
      operation: 'getCaught',
      summary: 'One caught mail in its parts',
      params: WithId,
      answer: CaughtMail,
    },
    async ({ params, service, workspace }) => {
      const mail = await inboxOf(service, workspace).read(params.id);
      return presentCaughtMail(mail, countRemoteImages(mail.html));
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/inbox/:id/preview',
      operation: 'previewCaught',
      summary: 'Its html as a document for a sandboxed frame',
      params: WithId,
      query: InWorkspace,
      answer: document('text/html'),
    },
    async ({ params, service, workspace, reply }) => {
      const { html, attachments } = await inboxOf(service, workspace).read(params.id);
      const images = attachments.flatMap(({ contentId, contentType, content }) =>
        contentId === undefined ? [] : { contentId, contentType, contentBase64: content.toString('base64') },
      );
      return sendPreview(reply, html, images);
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/inbox/:id/raw',
      operation: 'getRawCaught',
      summary: 'One caught mail as it came',
      params: WithId,
      query: InWorkspace,
      answer: document('message/rfc822'),
    },
    async ({ params, service, workspace, reply }) => {
      const { id, raw } = await inboxOf(service, workspace).read(params.id);
      return reply
        .type('message/rfc822')
        .header('content-disposition', `attachment; filename="${id}.eml"`)
        .send(raw);
    },
  ),
  route(
    'operate',
    {
      method: 'DELETE',
      url: '/api/inbox',
      operation: 'clearInbox',
      summary: 'Forget all caught mails',
      answer: Type.Object({ done: whole(12) }),
    },
    async ({ service, workspace }) => ({ done: await inboxOf(service, workspace).clear() }),
  ),
];

/** There is one inbox for all, so only the workspace that owns the installation may look into it. */
function inboxOf({ inbox, box }: Service, workspace: Workspace): Inbox {
  if (!inbox || workspace.id !== box.home.id) {
    throw new PillarboxError(
      'not_found',
      'there is no development inbox here: it is there for the default workspace while SMTP_URL is not set',
    );
  }
  return inbox;
}
