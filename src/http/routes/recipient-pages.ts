import { directionOf } from '../../core/locale.js';
import { invalidInput } from '../../core/errors.js';
import { languageName } from '../../core/template-words.js';
import { list, text, word } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { FRAMED_POLICY } from '../recipients/page.js';
import { SAMPLE_PAGES, samplePage, type SamplePage } from '../recipients/samples.js';
import { PAGE_LOCALES } from '../recipients/subscriber-words.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const NAMES = Object.keys(SAMPLE_PAGES) as SamplePage[];

const RecipientPages = Type.Object(
  {
    pages: list(
      Type.Object({ name: word(NAMES), title: text('Manage'), when: text('Behind the link of a mail.') }),
    ),
    locales: list(
      Type.Object({
        locale: text('fr'),
        language: text('French'),
        direction: word(['ltr', 'rtl']),
      }),
    ),
  },
  { title: 'RecipientPages' },
);

/** What those who get mail see, for those who send it. Nothing can be pressed there. */
export const recipientPageRoutes: readonly Route[] = [
  route(
    'read',
    {
      method: 'GET',
      url: '/api/recipient-pages',
      operation: 'listRecipientPages',
      summary: 'The pages that recipients meet, and the locales that they speak',
      answer: RecipientPages,
    },
    () => ({
      pages: NAMES.map((name) => ({ name, ...SAMPLE_PAGES[name] })),
      locales: PAGE_LOCALES.map((locale) => ({
        ...{ locale, language: languageName(locale), direction: directionOf(locale) },
      })),
    }),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/recipient-pages/:name',
      operation: 'showRecipientPage',
      summary: 'One of them as somebody would see it who does not exist, for a sandboxed frame',
      params: Type.Object({ name: Type.String() }),
      query: Type.Object(
        { ...InWorkspace.properties, locale: Type.Optional(Type.String({ maxLength: 35 })) },
        { additionalProperties: false },
      ),
      answer: document('text/html'),
      errors: ['not_found'],
    },
    async ({ params, query: { locale = 'en' }, workspace, service, reply }) => {
      const name = NAMES.find((each) => each === params.name);
      if (!name) throw invalidInput('name', `should be one of ${NAMES.join(', ')}`);
      if (!PAGE_LOCALES.includes(locale))
        throw invalidInput('locale', `should be one of ${PAGE_LOCALES.join(', ')}`);
      const profile = await workspace.settings.profile();
      const page = samplePage(name, profile, locale, await service.box.store.now());
      // A document without an origin can't have a cluster of its own, and the browser says so in its console.
      void reply.removeHeader('origin-agent-cluster');
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': FRAMED_POLICY,
          'x-frame-options': 'SAMEORIGIN',
          'cache-control': 'private, no-store',
        })
        .send(page);
    },
  ),
];
