// @ts-check
import { formatId } from '../../dist/core/ids.js';
import { askEverything } from '../asking.mjs';
import { addressOf, FIRST_NAMES, HOUSES, IMPORTS, LAST_NAMES } from '../stock/people.mjs';

/** @typedef {{ total: number, dice: () => number, campaignId: string }} Context */

const below = (/** @type {Context} */ { dice }, /** @type {number} */ most) => Math.floor(dice() * most);
const anId = (/** @type {Context} */ context) => 1 + below(context, context.total);
const aPage = (/** @type {Context} */ context) => formatId('contact', anId(context));
const anImport = (/** @type {Context} */ context) => formatId('import', 1 + below(context, IMPORTS));
const asked = (/** @type {string} */ path, /** @type {Record<string, string>} */ query) =>
  `${path}?${new URLSearchParams(query).toString()}`;
const contacts = (/** @type {Record<string, string>} */ query) => asked('/api/contacts', query);
const people = (/** @type {Context} */ { campaignId }, /** @type {Record<string, string>} */ query) =>
  asked(`/api/campaigns/${campaignId}/people`, query);

/** @type {Record<string, (context: Context) => string>} */
export const QUESTIONS = {
  newest: () => contacts({}),
  'any page': (context) => contacts({ cursor: aPage(context) }),
  'an id': (context) => contacts({ q: aPage(context) }),
  address: (context) => contacts({ q: addressOf(anId(context)) }),
  'rare prefix': (context) => contacts({ q: `person${anId(context)}@` }),
  'common prefix': () => contacts({ q: 'person1' }),
  'a rare word': (context) => contacts({ q: `last${below(context, LAST_NAMES)}x` }),
  'a common word': (context) => contacts({ q: `first${below(context, FIRST_NAMES)}x` }),
  'a house': (context) => contacts({ q: `house${below(context, HOUSES)}` }),
  'two words': (context) =>
    contacts({ q: `first${below(context, FIRST_NAMES)}x last${below(context, LAST_NAMES)}x` }),
  'two common words that never meet': () => contacts({ q: 'first1x first2x' }),
  'of an import': (context) => contacts({ importId: anImport(context) }),
  'of an import, a word': (context) =>
    contacts({ importId: anImport(context), q: `first${below(context, FIRST_NAMES)}x` }),
  'of a campaign': ({ campaignId }) => contacts({ campaignId }),
  'of a campaign, a word': (context) =>
    contacts({ campaignId: context.campaignId, q: `last${below(context, LAST_NAMES)}x` }),
  standing: () => '/api/contacts/standing',
  'people of a campaign': (context) => people(context, {}),
  'people, any page': (context) => people(context, { cursor: aPage(context) }),
  'people who replied': (context) => people(context, { status: 'replied' }),
  'people who are paused: few': (context) => people(context, { status: 'paused' }),
  'people by name': (context) => people(context, { q: `first${below(context, FIRST_NAMES)}x` }),
  'people by an address': (context) => people(context, { q: addressOf(anId(context)) }),
  'a campaign': ({ campaignId }) => `/api/campaigns/${campaignId}`,
  campaigns: () => '/api/campaigns',
};

/**
 * @param {{ url: string, total: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export const act = ({ url, total }, parent) =>
  askEverything(url, parent, QUESTIONS, async (ask, dice) => {
    const [campaign] = (await ask('/api/campaigns')).data.items;
    return { total, dice, campaignId: campaign.id };
  });
