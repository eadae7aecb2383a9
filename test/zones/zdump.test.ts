import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { zoneNamed } from '#pillarbox/core/zone';

/**
 * Clocks as tzdata itself tells them: by `zdump`, which is part of the C library (libc-bin) of every Debian, with the
 * system's own zones. These zones have not changed their past for years, and both know it; of what lies ahead, Node's and
 * the system's data may be of different ages, which `doctor` tells.
 */
const ZONES = [
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Santiago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Pyongyang',
  'Asia/Tehran',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Fiji',
  'Pacific/Kwajalein',
];
const [FIRST, END] = [1990, 2020];

interface Change {
  readonly at: number;
  readonly offset: number;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Europe/Berlin  Sun Mar 25 01:00:00 1990 UT = Sun Mar 25 03:00:00 1990 CEST isdst=1 gmtoff=7200` */
const LINE = /^\S+ +\w{3} (\w{3}) +(\d+) (\d\d):(\d\d):(\d\d) (\d{4}) UTC? = .* gmtoff=(-?\d+)$/;

/** Each change has two lines: the last second before it, and itself. */
function changesOf(zone: string): readonly Change[] {
  const text = execFileSync('zdump', ['-v', '-c', `${FIRST},${END}`, zone], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, month, day, hour, minute, second, year, offset] = LINE.exec(line) ?? [];
    if (month === undefined) return [];
    const parts = [day, hour, minute, second].map(Number) as [number, number, number, number];
    const at = Date.UTC(Number(year), MONTHS.indexOf(month), ...parts);
    return [{ at, offset: Number(offset) * 1_000 }];
  });
}

describe('clocks are as tzdata tells them [F34]:', () => {
  test.each(ZONES)('%s', (name) => {
    const told = changesOf(name).filter(({ at }) => at >= Date.UTC(FIRST, 0) && at < Date.UTC(END, 0));
    const zone = zoneNamed(name);
    for (const { at, offset } of told)
      expect({ at: new Date(at).toISOString(), offset: zone.offsetAt(at) }).toEqual({
        at: new Date(at).toISOString(),
        offset,
      });
    // And none besides: spans end where it says so, or where what is known is cut into pieces.
    const changes = told.filter(({ offset }, n) => n % 2 === 1 && offset !== told[n - 1]!.offset);
    const found: Change[] = [];
    let before = zone.offsetAt(Date.UTC(FIRST, 0));
    for (const { begin, offset } of zone.spans(Date.UTC(FIRST, 0), Date.UTC(END, 0))) {
      if (offset !== before) found.push({ at: begin, offset });
      before = offset;
    }
    expect(found).toEqual(changes);
  });

  test('it knows zones at all', () => {
    expect(changesOf('Europe/Berlin').length, 'zdump finds no zones: install tzdata').toBeGreaterThan(100);
  });
});
