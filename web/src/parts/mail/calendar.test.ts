import { expect, test } from 'vitest';
import { readCalendar } from './calendar';
import { eventWords } from './calendar-words';

const invitation = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n');
const wordsOf = (...lines: readonly string[]): string | undefined => {
  const [event] = readCalendar(invitation(...lines)).events;
  return event && eventWords(event);
};

test('an invitation says what, when in its own zone, and which version', () => {
  const calendar = readCalendar(
    invitation(
      'SUMMARY:Stay at Harbour Rooms\\, room 7',
      'DTSTART;TZID="America/New_York":20261120T150000',
      'DTEND;TZID="America/New_York":20261122T110000',
      'SEQUENCE:0',
      'BEGIN:VALARM',
      'SUMMARY:Alarm',
      'END:VALARM',
    ),
  );
  const [event] = calendar.events;
  expect(calendar.method).toBe('REQUEST');
  expect(event).toMatchObject({ summary: 'Stay at Harbour Rooms, room 7', sequence: '0', repeats: false });
  expect(event?.start?.zone).toBe('America/New_York');
  expect(event && eventWords(event)).toBe('Fri 20 Nov, 15:00 to Sun 22 Nov, 11:00');
});

test.each([
  ['Fri 20 Nov, 15:00 to 16:30', ['DTSTART:20261120T150000Z', 'DTEND:20261120T163000Z']],
  ['Fri 20 Nov, 15:00 to 16:30', ['DTSTART:20261120T150000', 'DURATION:PT1H30M']],
  ['Fri 20 Nov, all day', ['DTSTART;VALUE=DATE:20261120', 'DTEND;VALUE=DATE:20261121']],
  ['Fri 20 Nov to Sun 22 Nov', ['DTSTART;VALUE=DATE:20261120', 'DTEND;VALUE=DATE:20261123']],
  ['Fri 20 Nov, 15:00', ['DTSTART:20261120T150000Z']],
  ['No time is given', ['DTSTART:tomorrow']],
] as const)('%s', (words, lines) => {
  expect(wordsOf(...lines)).toBe(words);
});

test('a folded line is one', () => {
  expect(readCalendar(invitation('SUMMARY:Harb', ' our Rooms')).events[0]?.summary).toBe('Harbour Rooms');
});

test('what is no calendar has no events', () => {
  for (const text of ['', 'hello', 'BEGIN:VEVENT', ':::;;;', 'END:VCALENDAR\nEND:VCALENDAR']) {
    expect(readCalendar(text).events.every((event) => event.start === null)).toBe(true);
  }
});
