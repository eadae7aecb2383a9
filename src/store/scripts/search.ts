import { canonicalBeginning } from '../../core/address.js';
import { parseId, parseMessageId } from '../../core/ids.js';
import { parseNotificationKey } from '../../core/key.js';
import { LANES } from '../../core/message.js';
import { giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import {
  idsOf,
  idsWithin,
  merge,
  pageOfIds,
  placesOf,
  type IdPage,
  type MessageFilter,
} from './message-list.js';
import { Question } from './question.js';

/** Of an address that begins like this, so many at most are sorted; of more, the newest are looked for. */
const FEW_ADDRESSES = 2_000;
/** Subjects have no index: only so many of the newest are read. */
const SUBJECT_REACH = 50_000;
/** Each is looked for in every subject. Whoever pastes a long one finds it by its first words. */
const MOST_WORDS = 8;
/** Of one word, so many letters: a subject that almost holds it is compared again from each of its own. */
const BEGINNING = /^.{64}/su;

/** What a person may have at hand: an id, a key, a Message-ID, the beginning of an address, words of a subject. */
export function* searchIds(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
  text: string,
): Script<IdPage> {
  const exact = yield* idsNamed(store, workspaceId, text);
  const named = yield* idsOf(store, workspaceId, exact, filter);
  if (named.length > 0) return { ids: named };
  const words = wordsOf(text);
  if (/\s/.test(text)) return yield* idsBySubject(store, workspaceId, filter, words);
  const { page, isAddress } = yield* idsByAddress(store, workspaceId, filter, text);
  if (isAddress) return page;
  return merge([page, yield* idsBySubject(store, workspaceId, filter, words)], filter.limit);
}

const wordsOf = (text: string): readonly string[] => {
  const words = text.split(/\s+/).map((word) => BEGINNING.exec(word)?.[0] ?? word);
  return [...new Set(words)].slice(0, MOST_WORDS);
};

function* idsNamed(store: Store, workspaceId: number, text: string): Script<readonly number[]> {
  const id = parseId('message', text) ?? parseMessageId(text, store.installation);
  const question = new Question(store);
  const lanes = LANES.map((lane) => `'${lane}'`).join(', ');
  const keyed = yield* question.ids(
    `select id from ${store.at('messages')}
     where workspace_id = ${question.bind(workspaceId)} and lane in (${lanes}) and idempotency_key = ${question.bind(text)}`,
  );
  const pair = parseNotificationKey(text);
  const told = pair ? yield* idsOfPair(store, pair) : [];
  return [...(id === undefined ? [] : [id]), ...keyed, ...told];
}

function* idsOfPair(
  store: Store,
  { eventId, subscriptionId }: { readonly eventId: number; readonly subscriptionId: number },
): Script<readonly number[]> {
  const question = new Question(store);
  return yield* question.ids(
    `select id from ${store.at('messages')}
     where subscription_id = ${question.bind(subscriptionId)} and event_id = ${question.bind(eventId)}`,
  );
}

/** `isAddress`: it has an @, or thousands begin like this; nobody means words of a subject by that. */
function* idsByAddress(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
  text: string,
): Script<{ page: IdPage; isAddress: boolean }> {
  // As it was given too: what was stored long ago stands so.
  const prefixes = [...new Set([canonicalBeginning(text), text])];
  const ids: number[] = [];
  // Of all pages, so that every page is made alike.
  for (const prefix of prefixes) {
    const question = new Question(store);
    ids.push(
      ...(yield* question.ids(
        `select id from ${store.at('messages')} where workspace_id = ${question.bind(workspaceId)}
         and ${question.startsWith('recipient', prefix)} limit ${String(FEW_ADDRESSES + 1)}`,
      )),
    );
  }
  const isAddress = text.includes('@') || ids.length > FEW_ADDRESSES;
  const page =
    ids.length <= FEW_ADDRESSES
      ? { ids: yield* idsOf(store, workspaceId, ids, filter) }
      : yield* pageOfIds(store, workspaceId, filter, { recipientPrefixes: prefixes });
  return { page, isAddress };
}

function* idsBySubject(
  store: Store,
  workspaceId: number,
  filter: MessageFilter,
  subjectWords: readonly string[],
): Script<IdPage> {
  const condition = { subjectWords };
  // The newest of the whole filter, not of the page: the reach does not grow with every page.
  const newest = { before: undefined, reach: SUBJECT_REACH };
  const pages: IdPage[] = [];
  for (const place of placesOf(filter)) {
    yield* giveWay();
    const { ids } =
      place === 'lease'
        ? yield* pageOfIds(store, workspaceId, { ...filter, states: ['sending'] }, condition)
        : yield* idsWithin(store, workspaceId, place, filter, condition, newest);
    pages.push({ ids });
  }
  return merge(pages, filter.limit);
}
