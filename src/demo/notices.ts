import { PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { Page } from '../core/page.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { Dice } from './dice.js';
import { someGuest } from './guests.js';
import { DAY_MS, HOUSE_DOMAIN } from './letters/house.js';
import { ROOM_FREE, ROOM_FREE_VERSIONS } from './letters/room-free.js';
import { SLOT_MS } from './postings.js';
import { note } from './stage.js';

type SubscriptionInput = Parameters<Pillarbox['subscriptions']['add']>[0];
type EventInput = Parameters<Pillarbox['events']['publish']>[0];

const DEMO = 'demo';
const HOUR_MS = 3_600_000;
const RUNA = `runa@${HOUSE_DOMAIN} (demo)`;

/** Two rooms that guests wait for; of the garden room, for which few wait, there is news while somebody watches. */
const LOFT = { topic: 'room:harbour-loft', room: 'The loft over the boats', price: '€96' };
const GARDEN = { topic: 'room:garden', room: 'The garden room', price: '€74' };
const WAITING_FOR_LOFT = 34;
const WAITING_FOR_GARDEN = 6;

/** News of the garden room: the first half a minute after the birth of the demo, then every three minutes. */
const SLOTS_PER_EVENT = 36;
const EVENT_SLOT = 6;

/** What a guest wants, by his place in the line; whoever is not named is told of everything. */
const WISHES: Readonly<Record<number, (now: number) => Partial<SubscriptionInput>>> = {
  3: () => ({ preferences: { maxNotifications: 1 } }),
  5: (now) => ({ preferences: { snoozeUntil: instant(now + 3 * DAY_MS) } }),
  8: (now) => ({ preferences: { snoozeUntil: instant(now + 2 * HOUR_MS) } }),
  11: () => ({ status: 'paused' }),
  12: () => ({ status: 'paused' }),
  15: () => ({ status: 'pending' }),
  16: () => ({ status: 'pending' }),
  20: () => ({
    timezone: 'Europe/Paris',
    preferences: { deliveryWindow: { startMinutes: 480, endMinutes: 1_260 } },
  }),
};
/** Told only when it is free, not when it is gone. */
const ONLY_IF_FREE = { preferences: { notifyOn: ['Free'] } };
const ENDED = [22, 23, 24];
const LEFT_ALONE = 27;

/**
 * Guests who wait for a room, in every state that a subscription can be in, what they are told by, and what they were told.
 * Through the doors that everybody uses, in the present: what happened earlier today is told now.
 */
export async function setNotices(box: Pillarbox): Promise<void> {
  const now = await box.now();
  for (const version of ROOM_FREE_VERSIONS) {
    await box.templates.saveVersion(ROOM_FREE, version);
    await note(box, DEMO, 'template.save', ROOM_FREE, { version: version.version });
  }
  await addSubscriptions(box, now);
  await publish(box, 'earlier 1', roomIs('Free', LOFT, now - 20 * HOUR_MS, new Dice(1)));
  await publish(box, 'earlier 2', roomIs('Booked', LOFT, now - 17 * HOUR_MS, new Dice(2)));
  await publish(box, 'earlier 3', roomIs('Free', GARDEN, now - 2 * HOUR_MS, new Dice(3)));
}

/** What there is to tell in one stretch of five seconds; the same in every process, and told once. */
export async function tellNotice(box: Pillarbox, slot: number, bornAt: number): Promise<void> {
  if (slot % SLOTS_PER_EVENT !== EVENT_SLOT) return;
  const turn = Math.floor(slot / SLOTS_PER_EVENT);
  const status = turn % 2 === 0 ? 'Free' : 'Booked';
  await publish(box, `slot ${String(slot)}`, roomIs(status, GARDEN, bornAt + slot * SLOT_MS, new Dice(turn)));
}

/**
 * What still waits would leave by the default account, and that may belong to a real server from now on. What a person
 * has published of these rooms himself is his.
 */
export async function dropNotices({ events, subscriptions, messages }: Pillarbox): Promise<void> {
  for (const { topic } of [LOFT, GARDEN]) {
    for await (const { event, counts } of all((cursor) => events.list({ topic, limit: 200, cursor }))) {
      if (event.trace_id === DEMO && event.cancelled_at === null && counts.scheduled > 0)
        await events.cancel(formatId('event', event.id), DEMO).catch(ignoreMoved);
    }
    const { items } = await subscriptions.list({ topic, status: 'pending', limit: 200 });
    for (const { id } of items) {
      const { items: happened } = await subscriptions.history(formatId('subscription', id));
      for (const { kind, messageId } of happened)
        if (kind === 'confirmation_sent' && messageId !== null)
          await messages.cancel(formatId('message', messageId)).catch(ignoreMoved);
    }
  }
}

async function* all<T>(pageFrom: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await pageFrom(cursor);
    yield* items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** It has left, or somebody was first, or it is not kept any more. */
function ignoreMoved(error: unknown): void {
  if (error instanceof PillarboxError && ['illegal_move', 'not_found'].includes(error.code)) return;
  throw error;
}

function roomIs(
  statusAfter: 'Free' | 'Booked',
  { topic, room, price }: typeof LOFT,
  at: number,
  dice: Dice,
): EventInput {
  const isFree = statusAfter === 'Free';
  return {
    type: isFree ? 'room.free' : 'room.booked',
    topic,
    eventAt: instant(at),
    traceId: DEMO,
    template: { id: ROOM_FREE },
    payload: {
      title: isFree ? `${room} is free again` : `${room} is taken`,
      ...{
        room,
        price,
        nights: dice.between(2, 6),
        arrival: instant(at + dice.between(2, 20) * DAY_MS).slice(0, 10),
      },
      ...{ statusBefore: isFree ? 'Booked' : 'Free', statusAfter },
    },
  };
}

async function publish(box: Pillarbox, dedupeKey: string, event: EventInput): Promise<void> {
  await box.events.publish({ ...event, dedupeKey: `demo ${dedupeKey}` }, {}, DEMO);
}

const instant = (at: number): string => new Date(at).toISOString();

async function addSubscriptions(box: Pillarbox, now: number): Promise<void> {
  const dice = new Dice(WAITING_FOR_LOFT);
  const guests = new Map<string, { contactValue: string; name: string }>();
  while (guests.size < WAITING_FOR_LOFT) {
    const { email, name } = someGuest(dice);
    guests.set(email, { contactValue: email, name });
  }
  for (const [place, guest] of [...guests.values()].entries()) {
    const locale = place % 3 === 1 ? 'fr' : 'en';
    const wish = WISHES[place]?.(now) ?? (place % 2 === 0 ? ONLY_IF_FREE : {});
    const asks = { ...guest, contactType: 'email', locale };
    const { id } = await box.subscriptions.add({ ...asks, topic: LOFT.topic, ...wish }, DEMO);
    if (place < WAITING_FOR_GARDEN) await box.subscriptions.add({ ...asks, topic: GARDEN.topic }, DEMO);
    if (ENDED.includes(place))
      await box.subscriptions.update(formatId('subscription', id), { status: 'unsubscribed' }, RUNA);
    if (place === LEFT_ALONE)
      await box.suppressions.add(
        { email: guest.contactValue, reason: 'manual', note: 'asked at the front desk to be left alone' },
        RUNA,
      );
  }
  await note(box, DEMO, 'subscription.create', null);
}
