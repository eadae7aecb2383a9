import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeCalendar, type Invitation } from '../../examples/booking/calendar.js';
import { cancellationMail, confirmationMail } from '../../examples/booking/mails.js';

const invitation = (over: Partial<Invitation> = {}): Invitation => ({
  method: 'REQUEST',
  uid: 'b-1',
  sequence: 0,
  madeAt: Date.UTC(2026, 10, 16, 8, 30, 5, 999),
  startsAt: Date.UTC(2026, 11, 1, 9),
  endsAt: Date.UTC(2026, 11, 1, 9, 30),
  title: 'First talk',
  organizer: { name: 'Grace Hopper', email: 'grace@example.org' },
  attendee: { name: 'Ada Lovelace', email: 'ada@example.org' },
  ...over,
});

const unfolded = (content: string): string[] => content.replaceAll('\r\n ', '').split('\r\n');

describe('an invitation', () => {
  test('is a VCALENDAR with all that its reader needs', () => {
    expect(unfolded(writeCalendar(invitation()))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Pillarbox//Booking example//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      'UID:b-1',
      'SEQUENCE:0',
      'DTSTAMP:20261116T083005Z',
      'DTSTART:20261201T090000Z',
      'DTEND:20261201T093000Z',
      'SUMMARY:First talk',
      'STATUS:CONFIRMED',
      'ORGANIZER;CN="Grace Hopper":mailto:grace@example.org',
      'ATTENDEE;CN="Ada Lovelace";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:ada@example.org',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  test('has lines of at most 75 octets that end in CRLF, and breaks no character', () => {
    const title = 'Gespräch über Größe — '.repeat(8) + '🎻'.repeat(30);
    const content = writeCalendar(invitation({ title }));
    expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lines = content.slice(0, -2).split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(lines.every((line) => line.isWellFormed())).toBe(true);
    expect(unfolded(content)).toContain(`SUMMARY:${title}`);
  });

  test('takes no text for a property of its own', () => {
    const hostile = 'a;b,c\\d"e^f\r\nSTATUS:CANCELLED\nX\u0000';
    const content = writeCalendar(
      invitation({
        title: hostile,
        attendee: { name: hostile, email: 'a"b\r\nx@example.org' },
      }),
    );
    const lines = unfolded(content);
    expect(lines).toHaveLength(18);
    expect(lines).toContain('SUMMARY:a\\;b\\,c\\\\d"e^f\\nSTATUS:CANCELLED\\nX ');
    expect(lines[14]).toMatch(/^ATTENDEE;CN="a;b,c\\d\^'e\^\^f {2}STATUS:CANCELLED X ";ROLE=/);
    expect(lines[14]).toMatch(/:mailto:a%22b%0D%0Ax@example\.org$/);
  });
});

describe('the mails of a booking', () => {
  const booking = {
    id: '7f0e',
    guest: { name: 'Ada', email: 'ada@example.org' },
    title: 'First talk',
    startsAt: Date.UTC(2026, 11, 1, 9),
    minutes: 30,
    sequence: 1,
    bookedAt: Date.UTC(2026, 10, 16),
    cancelledAt: Date.UTC(2026, 10, 17),
  };
  const host = { name: 'Grace', email: 'grace@example.org' };

  afterEach(() => {
    vi.useRealTimers();
  });

  test('are the same, key and all, whenever they are written', () => {
    const written = [2027, 2031].map((year) => {
      vi.useFakeTimers({ now: Date.UTC(year, 0, 1) });
      return [confirmationMail(booking, host), cancellationMail(booking, host)];
    });
    expect(written[1]).toEqual(written[0]);
    const keys = [confirmationMail, cancellationMail].map((write) => write(booking, host).idempotencyKey);
    expect(keys).toEqual(['booking-7f0e-confirmed', 'booking-7f0e-cancelled']);
  });

  test('the confirmation does not change when the booking is cancelled meanwhile', () => {
    const before = { ...booking, sequence: 0, cancelledAt: null };
    expect(confirmationMail(booking, host)).toEqual(confirmationMail(before, host));
  });
});
