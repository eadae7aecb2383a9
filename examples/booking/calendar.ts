import type { Person } from './booking.js';

/** One version of one event, as calendar programs exchange it (RFC 5545 and 5546). */
export interface Invitation {
  readonly method: 'REQUEST' | 'CANCEL';
  readonly uid: string;
  readonly sequence: number;
  /** When this version was made. Not "now": the same version must give the same text, whenever it is written. */
  readonly madeAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly title: string;
  readonly organizer: Person;
  readonly attendee: Person;
}

export function writeCalendar(invitation: Invitation): string {
  const { method, uid, sequence, organizer, attendee } = invitation;
  // Who books has agreed by that; his program need not ask him, nor answer for him.
  const agreed = 'ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE';
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pillarbox//Booking example//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${text(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${instant(invitation.madeAt)}`,
    `DTSTART:${instant(invitation.startsAt)}`,
    `DTEND:${instant(invitation.endsAt)}`,
    `SUMMARY:${text(invitation.title)}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    `ORGANIZER;CN=${quoted(organizer.name)}:${address(organizer)}`,
    `ATTENDEE;CN=${quoted(attendee.name)};${agreed}:${address(attendee)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(fold).join('');
}

/** 20261201T090000Z: always UTC, so no time zone has to travel along. */
const instant = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');

const text = (value: string): string =>
  value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');

/** A quoted parameter can hold no quote; RFC 6868 says how to write one all the same. */
const quoted = (value: string): string =>
  `"${value
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\p{Cc}/gu, ' ')}"`;

const address = ({ email }: Person): string => `mailto:${encodeURI(email)}`;

const LINE_OCTETS = 75;

/** Lines are counted in octets, and none may break inside a character. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}
