import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLAIMS } from './claims.js';
import { ROOT, textOf } from './pages.js';

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const README = flat(textOf('README.md'));

test('what README promises is shown by tests that are there', () => {
  expect(CLAIMS.filter(({ says }) => !README.includes(says)).map(({ says }) => says)).toEqual([]);
  const texts = new Map<string, string>();
  const missing = CLAIMS.flatMap(({ shown }) => shown).filter(([file, title]) => {
    const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'");
    texts.set(file, text);
    return !text.includes(title);
  });
  expect(missing).toEqual([]);
});

test('every promise that README lists, and every stop of its tour, is among them', () => {
  const [, tour = ''] = /^## Two minutes with it$(.*?)^\|/ms.exec(textOf('README.md')) ?? [];
  const [, promises = ''] =
    /^## What is promised, and what is not$(.*?)^## /ms.exec(textOf('README.md')) ?? [];
  const stops = tour.split(/^\d\. /m).slice(1);
  const points = promises.split(/^- /m).slice(1);
  expect(stops.length).toBe(6);
  expect(points.length).toBeGreaterThan(7);
  const unshown = [...stops, ...points]
    .map(flat)
    .filter((text) => !CLAIMS.some(({ says }) => text.includes(says)));
  expect(unshown).toEqual([]);
});
