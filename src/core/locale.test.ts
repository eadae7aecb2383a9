import { expect, test } from 'vitest';
import { canonicalLocale, chooseLocale, directionOf } from './locale.js';

const AVAILABLE = ['en', 'fr', 'de', 'pt-BR', 'pt', 'zh-Hans', 'zh-Hant', 'sr', 'sr-Latn', 'he', 'nb', 'es'];

test.each([
  ['fr-CA', 'fr'],
  ['fr_ca', 'fr'],
  ['pt-PT', 'pt'],
  ['pt-BR', 'pt-BR'],
  ['zh-TW', 'zh-Hant'],
  ['zh-CN', 'zh-Hans'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['sr-RS', 'sr'],
  ['iw', 'he'],
  ['es-MX', 'es'],
  ['de-CH-1996', 'de'],
  ['gsw', 'en'],
  ['not a tag', 'en'],
  ['', 'en'],
])('%s reads %s, if there is a fallback', (wanted, chosen) => {
  expect(chooseLocale(wanted, AVAILABLE, 'en')).toBe(chosen);
});

test('without a fallback only the tag itself counts', () => {
  expect(chooseLocale('fr-CA', AVAILABLE)).toBeUndefined();
  expect(chooseLocale('FR', AVAILABLE)).toBe('fr');
  expect(chooseLocale('gsw', ['de'], 'en')).toBeUndefined();
});

test('tags are canonical, and know their direction', () => {
  expect(canonicalLocale('EN_gb')).toBe('en-GB');
  expect(canonicalLocale('x y')).toBeUndefined();
  expect(['ar', 'he', 'ur', 'en', 'ja'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
});
