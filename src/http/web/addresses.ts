/** Every address at which the admin UI has something to show. What that is, the UI decides. */
export const PAGES = [
  '/',
  '/login',
  '/invitation',
  '/queue',
  '/queue/:id',
  '/held',
  '/dead',
  '/dead/:fingerprint',
  '/inbox',
  '/inbox/:id',
  '/campaigns',
  '/campaigns/:id',
  '/campaigns/:id/:part',
  '/campaigns/:id/launch/:step',
  '/accounts',
  '/accounts/:id',
  '/limits',
  '/workers',
  '/contacts',
  '/contacts/:id',
  '/contacts/import/:id',
  '/sequences',
  '/sequences/:id',
  '/events',
  '/events/:id',
  '/subscriptions',
  '/subscriptions/:id',
  '/templates',
  '/templates/:id',
  '/settings',
  '/settings/*',
] as const;

/** Where programs ask, or where files are: an unknown address there is nobody's page. */
const NOT_PAGES = /^\/(?:api|docs|assets|[cmu])(?:[/?]|$)/;

/** Whether what was not found should be told by a page: a browser is asking for one, on behalf of a person. */
export const isLostPage = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (accept ?? '').toLowerCase().includes('text/html') &&
  !NOT_PAGES.test(url);
