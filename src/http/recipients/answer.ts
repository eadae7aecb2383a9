import type { FastifyReply } from 'fastify';
import { isOutage } from '../../core/errors.js';
import type { Link } from '../../core/link-token.js';
import { perService } from '../per-service.js';
import type { Service } from '../service.js';
import { laterPage, PAGE_POLICY } from './page.js';
import { onlySenderOf } from './sender.js';
import { gonePage } from './subscriber-page.js';
import { localeAskedFor } from './subscriber-words.js';
import { Turnstile } from './turnstile.js';

/** Of one link, and so of one reader: nobody presses that often. */
const A_MINUTE = 30;
const turnstileOf = perService(() => new Turnstile(A_MINUTE));

/** A page for whoever holds a link of ours, for all others the page that says it is none. */
export async function answerLink(
  service: Service,
  token: string,
  reply: FastifyReply,
  find: (link: Link) => Promise<string | undefined>,
): Promise<FastifyReply> {
  try {
    // Only links of ours are counted: whoever makes them up fills nothing.
    const { box } = service;
    const link = box.links.read(token, await box.store.now());
    if (!link) return await showGone(service, reply);
    if (!turnstileOf(service).lets(token)) return await showLater(reply.code(429));
    const page = await find(link);
    return await (page === undefined ? showGone(service, reply) : show(reply, page));
  } catch (error) {
    if (!isOutage(error)) throw error;
    return showLater(reply.code(503));
  }
}

async function showGone(service: Service, reply: FastifyReply): Promise<FastifyReply> {
  const locale = localeAskedFor(reply.request.headers['accept-language']);
  return show(reply.code(404), gonePage(locale, await onlySenderOf(service).ask()));
}

export const showLater = (reply: FastifyReply): FastifyReply =>
  show(reply.header('retry-after', '60'), laterPage());

export const show = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': PAGE_POLICY,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    .send(page);
