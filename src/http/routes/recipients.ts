import type { FastifyReply } from 'fastify';
import { isOutage } from '../../core/errors.js';
import { Unsubscriptions, type Reader } from '../../links/unsubscriptions.js';
import { Type } from '../../vendor/typebox.js';
import { perService } from '../per-service.js';
import { gonePage, laterPage, PAGE_POLICY, readerPage } from '../recipients/page.js';
import { pressedIn } from '../recipients/pressed.js';
import { Turnstile } from '../recipients/turnstile.js';
import { document, openRoute, type Route } from '../route.js';
import type { Service } from '../service.js';

const WithToken = Type.Object({ token: Type.String() });
const Page = document('text/html');
/** Of one link, and so of one reader: nobody presses that often. */
const A_MINUTE = 30;

const unsubscriptionsOf = perService(({ box }) => new Unsubscriptions(box.store, box.links));
const turnstileOf = perService(() => new Turnstile(A_MINUTE));

/** For those who get mail, without a key: the link itself says who it is. A GET changes nothing, because machines follow links. */
export const recipientRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/u/:token',
      operation: 'showUnsubscribe',
      summary: 'What the link in a mail leads to: a page that asks, and changes nothing',
      params: WithToken,
      answer: Page,
    },
    ({ service, params: { token }, reply }) =>
      answer(service, token, reply, async () => {
        const reader = await unsubscriptionsOf(service).look(token);
        return reader && { reader };
      }),
  ),
  openRoute(
    'anyone',
    {
      method: 'POST',
      url: '/u/:token',
      operation: 'unsubscribe',
      summary: 'One click of a mail program (RFC 8058), or a button of that page',
      params: WithToken,
      forms: true,
      answer: Page,
    },
    ({ service, params: { token }, request, reply }) =>
      answer(service, token, reply, async () => {
        const pressed = pressedIn(request.body, request.headers['content-type']);
        const people = unsubscriptionsOf(service);
        if (pressed === 'undo') {
          const reader = await people.undo(token);
          return reader && { reader, isUndone: true };
        }
        const reader = await people.stop(token, pressed === 'everything' ? 'everything' : 'campaigns');
        return reader && { reader, isSilent: pressed === 'one-click' };
      }),
  ),
];

interface Found {
  readonly reader: Reader;
  readonly isUndone?: boolean;
  /** A machine asked: it wants no page. */
  readonly isSilent?: boolean;
}

async function answer(
  service: Service,
  token: string,
  reply: FastifyReply,
  find: () => Promise<Found | undefined>,
): Promise<FastifyReply> {
  try {
    // Only links of ours are counted: whoever makes them up fills nothing.
    const { box } = service;
    if (!box.links.read(token, await box.store.now())) return await show(reply.code(404), gonePage());
    if (!turnstileOf(service).lets(token))
      return await show(reply.code(429).header('retry-after', '60'), laterPage());
    const found = await find();
    if (!found) return await show(reply.code(404), gonePage());
    if (found.isSilent) return await show(reply, '');
    const { settings } = await box.workspace(found.reader.workspaceId);
    return await show(reply, readerPage(found.reader, await settings.profile(), found.isUndone));
  } catch (error) {
    if (!isOutage(error)) throw error;
    return show(reply.code(503).header('retry-after', '60'), laterPage());
  }
}

const show = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': PAGE_POLICY,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    .send(page);
