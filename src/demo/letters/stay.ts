import type { Dice } from '../dice.js';
import { DAY_MS, someReference } from './house.js';

/** A room for some nights. Instants are epoch ms. */
export interface Stay {
  readonly room: string;
  readonly arrivesAt: number;
  readonly leavesAt: number;
  readonly nights: number;
  readonly guests: number;
  readonly euros: number;
  readonly reference: string;
}

const HOUR_MS = 3_600_000;
const FROM_HOUR = 15;
const UNTIL_HOUR = 11;

const ROOMS: readonly (readonly [name: string, eurosANight: number])[] = [
  ['room 2, harbour side', 96],
  ['room 3, under the roof', 84],
  ['room 5, garden side', 89],
  ['room 7, with the bay window', 118],
  ['the boat shed', 132],
];

/** From some days after `at` on. */
export function someStay(dice: Dice, at: number, daysAhead = dice.between(2, 40)): Stay {
  const [room, euros] = dice.pick(ROOMS);
  const day = Math.floor(at / DAY_MS) * DAY_MS + daysAhead * DAY_MS;
  const nights = dice.between(1, 5);
  return {
    room,
    nights,
    arrivesAt: day + FROM_HOUR * HOUR_MS,
    leavesAt: day + nights * DAY_MS + UNTIL_HOUR * HOUR_MS,
    guests: dice.between(1, 3),
    euros: euros * nights,
    reference: someReference(dice),
  };
}

/** An invitation as calendars read it (RFC 5545). */
export function invitation(stay: Stay, at: number): string {
  const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Harbour Rooms//Demo//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${stay.reference}@harbourrooms.example`,
    'SEQUENCE:0',
    `DTSTAMP:${stamp(at)}`,
    `DTSTART:${stamp(stay.arrivesAt)}`,
    `DTEND:${stamp(stay.leavesAt)}`,
    `SUMMARY:Harbour Rooms\\, ${stay.room.replace(/,/g, '\\,')}`,
    'LOCATION:11 Ropewalk Lane\\, Saltmere',
    'ORGANIZER;CN=Harbour Rooms:mailto:bookings@harbourrooms.example',
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
