import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFailure } from '../answers.js';
import { isLostPage, PAGES } from './addresses.js';
import { PLAIN_PAGE } from './plain-page.js';

/** Where the build puts the admin UI: beside the code that serves it. */
const BUILT = fileURLToPath(new URL('../../web', import.meta.url));
const UNDOCUMENTED = { schema: { hide: true } };
/** Their names change with their content. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The pages for people, to whoever asks: they hold nothing but the program, which logs in and asks the API. Where the
 * UI was not built (a library needs none), one plain page stands in at the same addresses.
 */
export async function serveWeb(app: FastifyInstance, directory = BUILT): Promise<void> {
  const index = await readIfThere(join(directory, 'index.html'));
  const show = (reply: FastifyReply): FastifyReply =>
    reply
      .type('text/html; charset=utf-8')
      // It names the assets of one build: an old one would ask for files that are gone.
      .header('cache-control', 'no-cache')
      .send(index ?? PLAIN_PAGE);

  for (const url of PAGES) app.get(url, UNDOCUMENTED, (_request, reply) => show(reply));
  app.get('/admin/email-queue', UNDOCUMENTED, (_request, reply) => reply.redirect('/queue', 302));
  app.setNotFoundHandler((request, reply) =>
    isLostPage(request.method, request.url, request.headers.accept)
      ? show(reply.code(404))
      : sendFailure(reply, { status: 404, code: 'not_found', message: 'there is nothing at this address' }),
  );
  if (index !== undefined) await serveFiles(app, directory);
}

/** One route for each file that is there now, so that no address can lead out of the directory. */
async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  const assets = join(root, 'assets');
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: ['index.html', '**/*.gz', '**/*.br'],
    preCompressed: true,
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) =>
      void reply.header('cache-control', dirname(path) === assets ? FOREVER : 'no-cache'),
  });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
