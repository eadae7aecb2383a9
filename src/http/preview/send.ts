import type { FastifyReply } from 'fastify';
import { PillarboxError } from '../../core/errors.js';
import { previewDocument, type MailImage } from './document.js';

/**
 * What a mail may do while people look at it: show its text, its own style and the images that came with it. No
 * script, no form, nothing fetched, no origin; also when somebody opens the address outside of our frame.
 *
 * A document of its own, and not `srcdoc`, because that would inherit the policy of the page around it, under which
 * a mail has no style at all; and that policy is not to be loosened for the sake of mails.
 */
const POLICY = [
  'sandbox',
  "default-src 'none'",
  'img-src data:',
  'font-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Throws `not_found` for a mail without html: its text needs no frame. */
export function sendPreview(
  reply: FastifyReply,
  html: string | null | undefined,
  images: readonly MailImage[],
): FastifyReply {
  if (typeof html !== 'string') {
    throw new PillarboxError('not_found', 'this mail has no html to preview');
  }
  // A document without an origin can't have a cluster of its own, and the browser says so in its console.
  void reply.removeHeader('origin-agent-cluster');
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'private, no-store')
    .send(previewDocument(html, images));
}
