import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { STATES } from '../api/names';
import type { State } from '../api/types';
import { STATE_LABELS, StateChip, StateGlyph } from '../parts/glyphs';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensAfter(selector: string): ReadonlyMap<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0]!;
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  );
}

const THEMES = { light: tokensAfter(':root'), dark: tokensAfter(":root[data-theme='dark']") };
type Theme = keyof typeof THEMES;
const BOTH = Object.keys(THEMES) as Theme[];

/** As WCAG 2.2 has it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: Theme, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((name) => luminance(THEMES[theme].get(name)!))
    .sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The token that a state is drawn in. */
const tokenOf = (state: State): string => (state === 'retry_scheduled' ? 'retry' : state);

const GROUNDS = ['surface', 'bg', 'sunken', 'plate', 'hover', 'sel'];
/** Every text colour with every ground that it is written on. */
const TEXTS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['ink', [...GROUNDS, 'rail', 'tint-held', 'tint-dead', 'tint-retry', 'tint-sent']],
  ['ink-2', [...GROUNDS, 'rail', 'tint-held', 'tint-dead', 'tint-retry', 'tint-sent']],
  ['ink-3', ['surface', 'bg', 'sunken', 'plate', 'hover', 'rail']],
  ['link', [...GROUNDS, 'tint-held', 'tint-dead', 'tint-retry', 'tint-sent']],
  ['on-primary', ['primary']],
  ['retry', ['tint-retry']],
  ['held', ['tint-held']],
  ['dead', ['tint-dead']],
  ['sent', ['tint-sent']],
  // The count on a phone's bar.
  ['surface', ['dead', 'held']],
  ...STATES.map((state) => [tokenOf(state), ['surface', 'sel']] as const),
];

/** What the design says, to one decimal. */
const NAMED: Record<Theme, readonly (readonly [one: string, other: string, figure: number])[]> = {
  light: [
    ['ink', 'surface', 16.5],
    ['ink', 'bg', 14.5],
    ['ink-2', 'surface', 7.7],
    ['ink-2', 'bg', 6.8],
    ['ink-3', 'surface', 5.5],
    ['ink-3', 'bg', 4.8],
    ['ink-3', 'rail', 4.5],
    ['link', 'surface', 7.4],
    ['line-strong', 'surface', 3.7],
    ['line-strong', 'bg', 3.2],
    ['focus', 'surface', 5.6],
    ['ink', 'heat-1', 12.6],
    ['ink', 'heat-2', 9.2],
    ['ink', 'heat-3', 5.3],
    ['surface', 'heat-4', 6.8],
    ['scheduled', 'surface', 6.0],
    ['scheduled', 'sel', 5.1],
    ['queued', 'surface', 8.8],
    ['queued', 'sel', 7.5],
    ['sending', 'surface', 5.5],
    ['sending', 'sel', 4.7],
    ['sent', 'surface', 5.9],
    ['sent', 'sel', 5.0],
    ['retry', 'surface', 6.0],
    ['retry', 'sel', 5.1],
    ['held', 'surface', 6.2],
    ['held', 'tint-held', 5.4],
    ['dead', 'surface', 8.7],
    ['dead', 'tint-dead', 7.5],
    ['skipped', 'surface', 5.4],
    ['skipped', 'sel', 4.6],
    ['expired', 'surface', 6.8],
    ['expired', 'sel', 5.8],
    ['cancelled', 'surface', 5.4],
    ['cancelled', 'sel', 4.6],
  ],
  dark: [
    ['ink', 'surface', 14.8],
    ['ink', 'bg', 16.0],
    ['ink-2', 'surface', 9.3],
    ['ink-3', 'surface', 6.2],
    ['ink-3', 'sel', 4.8],
    ['link', 'surface', 8.2],
    ['line-strong', 'surface', 3.6],
    ['focus', 'surface', 9.6],
    ['ink', 'heat-1', 11.4],
    ['ink', 'heat-2', 7.4],
    ['on-primary', 'heat-3', 5.2],
    ['on-primary', 'heat-4', 8.8],
    ['scheduled', 'surface', 7.6],
    ['scheduled', 'sel', 5.9],
    ['queued', 'surface', 6.9],
    ['queued', 'sel', 5.4],
    ['sending', 'surface', 6.4],
    ['sending', 'sel', 5.0],
    ['sent', 'surface', 10.4],
    ['sent', 'sel', 8.1],
    ['retry', 'surface', 9.5],
    ['retry', 'sel', 7.4],
    ['held', 'surface', 9.7],
    ['held', 'tint-held', 8.5],
    ['dead', 'surface', 7.0],
    ['dead', 'tint-dead', 6.3],
    ['skipped', 'surface', 6.8],
    ['skipped', 'sel', 5.3],
    ['expired', 'surface', 7.8],
    ['expired', 'sel', 6.1],
    ['cancelled', 'surface', 6.8],
    ['cancelled', 'sel', 5.3],
  ],
};

describe('the colours', () => {
  test('have the same names in both themes', () => {
    expect([...THEMES.dark.keys()]).toEqual([...THEMES.light.keys()]);
    expect(THEMES.light.size).toBeGreaterThan(40);
  });

  test.each(BOTH)('let every text be read (%s): 4.5 to 1 or more', (theme) => {
    const pale = TEXTS.flatMap(([text, grounds]) =>
      grounds
        .map((ground) => ({ text, ground, contrast: contrast(theme, text, ground) }))
        .filter((pair) => pair.contrast < 4.5),
    );
    expect(pale).toEqual([]);
  });

  test.each(BOTH)('let the edge of every control and the focus be seen (%s): 3 to 1 or more', (theme) => {
    const edges = ['line-strong', 'focus', 'plate-rule'].flatMap((edge) =>
      ['surface', 'bg', 'sunken'].map((ground) => ({
        edge,
        ground,
        contrast: contrast(theme, edge, ground),
      })),
    );
    const bars = [{ edge: 'bar', ground: 'surface', contrast: contrast(theme, 'bar', 'surface') }];
    expect([...edges, ...bars].filter((pair) => pair.contrast < 3)).toEqual([]);
  });

  test.each(BOTH.flatMap((theme) => NAMED[theme].map((pair) => [theme, ...pair] as const)))(
    'have the contrast that the design names (%s): %s on %s is %f',
    (theme, one, other, figure) => {
      expect(Math.abs(contrast(theme, one, other) - figure)).toBeLessThanOrEqual(0.1);
    },
  );
});

describe('the states', () => {
  const inGrey = (markup: string): string => markup.replaceAll(/ class="[^"]*"/g, '');

  test('differ in shape, without any colour', () => {
    const shapes = STATES.map((state) => inGrey(renderToStaticMarkup(createElement(StateGlyph, { state }))));
    expect(new Set(shapes).size).toBe(10);
    // A shape that has a colour of its own would not follow forced colours.
    for (const shape of shapes)
      expect(shape).not.toMatch(/(?:fill|stroke)="(?!none|currentColor|var\(--surface\))/);
  });

  test('differ in words', () => {
    const words = STATES.map((state) =>
      renderToStaticMarkup(createElement(StateChip, { state })).replaceAll(/<[^>]*>/g, ''),
    );
    expect(words).toEqual(STATES.map((state) => STATE_LABELS[state]));
    expect(new Set(words).size).toBe(10);
  });

  test('are tinted only where a person is needed', () => {
    const tinted = STATES.filter((state) =>
      renderToStaticMarkup(createElement(StateChip, { state })).includes('bg-tint-'),
    );
    expect(tinted).toEqual(['held', 'dead']);
  });
});
