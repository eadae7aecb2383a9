// @ts-check
import { formatId } from '../../dist/core/ids.js';
import { askEverything } from '../asking.mjs';

/** @typedef {{ total: number, dice: () => number, accountId: string }} Context */

const anId = (/** @type {Context} */ { total, dice }) => 1 + Math.floor(dice() * total);
const messages = (/** @type {Record<string, string>} */ query) =>
  `/api/messages?${new URLSearchParams(query).toString()}`;
const page = (/** @type {Context} */ context) => formatId('message', anId(context));

/**
 * What is asked, each time a little differently; the address of the request.
 *
 * @type {Record<string, (context: Context) => string>}
 */
export const QUESTIONS = {
  newest: () => messages({}),
  'any page': (context) => messages({ cursor: page(context) }),
  sent: (context) => messages({ state: 'sent', cursor: page(context) }),
  dead: (context) => messages({ state: 'dead', cursor: page(context) }),
  held: () => messages({ state: 'held' }),
  scheduled: () => messages({ state: 'scheduled' }),
  'retry later': () => messages({ state: 'retry_scheduled' }),
  'dead and held': () => messages({ state: 'dead,held', limit: '200' }),
  'of an account': ({ accountId }) => messages({ accountId, state: 'dead' }),
  'of an empty lane': () => messages({ lane: 'campaign', state: 'sent' }),
  address: (context) => messages({ to: `user${anId(context)}@example.test` }),
  'address and state': (context) => messages({ to: `user${anId(context)}@example.test`, state: 'dead' }),
  'rare prefix': (context) => messages({ q: `user${anId(context)}@` }),
  'common prefix': () => messages({ q: 'user1' }),
  'prefix and state': () => messages({ q: 'user19', state: 'dead' }),
  'an id': (context) => messages({ q: page(context) }),
  'words of the subject': (context) => messages({ q: `number ${anId(context)}` }),
  'admin outbox': () => '/api/admin/outbox',
  'dead groups': () => '/api/messages/dead-groups',
  dashboard: () => '/api/admin/dashboard?range=24h',
};

/**
 * @param {{ url: string, total: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export const act = ({ url, total }, parent) =>
  askEverything(url, parent, QUESTIONS, async (ask, dice) => {
    const [newest] = (await ask(messages({}))).data.items;
    return { total, dice, accountId: newest.accountId };
  });
