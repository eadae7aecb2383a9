import { dayOf, timeOf } from '../../time/words';
import type { CalendarEvent, CalendarTime } from './calendar';

const DAY_MS = 86_400_000;

/** "Fri 20 Nov, 15:00 to Sun 22 Nov, 11:00", by the clock on the wall there. */
export function eventWords({ start, end }: CalendarEvent): string {
  if (!start) return 'No time is given';
  if (start.allDay) {
    // The end of a whole day is the day after it.
    const last = end && end.wall - DAY_MS > start.wall ? end.wall - DAY_MS : undefined;
    return last === undefined ? `${day(start.wall)}, all day` : `${day(start.wall)} to ${day(last)}`;
  }
  if (!end || end.wall <= start.wall) return moment(start);
  return day(start.wall) === day(end.wall)
    ? `${moment(start)} to ${time(end.wall)}`
    : `${moment(start)} to ${moment(end)}`;
}

const day = (wall: number): string => dayOf(wall, 'UTC');
const time = (wall: number): string => timeOf(wall, 'UTC');
const moment = ({ wall }: CalendarTime): string => `${day(wall)}, ${time(wall)}`;
