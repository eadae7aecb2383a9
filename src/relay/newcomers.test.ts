import { expect, test } from 'vitest';
import type { Marked, RelayShare, RelayView } from '../store/relay-moves.js';
import { Newcomers } from './newcomers.js';

const WINDOW = 100;

/** With so many due in each channel, and what was asked for. */
function aLine(due: Record<number, number>) {
  const asked: (readonly RelayShare[])[] = [];
  const line = { asked, looks: 0, away: false };
  const passOn = async (shares: readonly RelayShare[]): Promise<readonly Marked[]> => {
    asked.push(shares);
    await Promise.resolve();
    if (line.away) throw new Error('the database is away');
    return shares.flatMap(({ channelId, limit }) => {
      const taken = Math.min(limit, due[channelId] ?? 0);
      due[channelId] = (due[channelId] ?? 0) - taken;
      return Array.from({ length: taken }, () => ({ channelId }) as Marked);
    });
  };
  return Object.assign(line, { newcomers: new Newcomers(passOn, () => void (line.looks += 1)) });
}

const view = (...outstanding: number[]): RelayView => ({
  channels: outstanding.map((each, index) => ({
    ...{ id: index + 1, workspaceId: 1, accountId: index + 1, lane: 'outbox' as const },
    outstanding: each,
  })),
  outstanding: outstanding.reduce((sum, each) => sum + each, 0),
});

test('one that comes alone is passed on, and nobody looks around for it', async () => {
  const line = aLine({ 1: 1 });
  expect(line.newcomers.takes(1)).toBe(true);
  await line.newcomers.settled();
  expect(line).toMatchObject({ asked: [[{ channelId: 1, limit: 10 }]], looks: 0 });
});

test('of a channel only a few go this way until the next look; then the window decides', async () => {
  const line = aLine({ 1: 25 });
  expect(line.newcomers.takes(1)).toBe(true);
  await line.newcomers.settled();
  expect(line.looks).toBe(1);
  expect(line.newcomers.takes(1)).toBe(false);
  line.newcomers.looked(view(10), WINDOW);
  expect(line.newcomers.takes(1)).toBe(true);
  await line.newcomers.settled();
  line.newcomers.looked(view(25), WINDOW);
  expect(line.newcomers.takes(1)).toBe(false);
});

test('of all channels together never more than the most', async () => {
  const due = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n + 1, 9]));
  const line = aLine(due);
  for (let id = 1; id <= 30; id += 1) expect(line.newcomers.takes(id)).toBe(true);
  await line.newcomers.settled();
  expect(Object.values(due).reduce((sum, left) => sum + left, 0)).toBe(30 * 9 - 100);
  expect(line.looks).toBe(1);
  expect(line.newcomers.takes(30)).toBe(false);
});

test('trouble is left to whoever looks around, and the next one is tried again', async () => {
  const line = aLine({ 1: 1 });
  line.away = true;
  expect(line.newcomers.takes(1)).toBe(true);
  await line.newcomers.settled();
  expect(line.looks).toBe(1);
  line.away = false;
  expect(line.newcomers.takes(1)).toBe(true);
  await line.newcomers.settled();
  expect(line.asked).toHaveLength(2);
});
