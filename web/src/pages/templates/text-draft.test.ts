import { describe, expect, test } from 'vitest';
import { changedLocales, draftsOf, mended, nextVersion, renamed, sourceOf } from './text-draft';

const TEXT = { locale: 'en', subject: 'S', html: '<p>{{ a }}</p>', text: null, mjml: null };

describe('a template while it is written', () => {
  test('is written where its text comes from, and knows which locales differ', () => {
    expect(sourceOf(TEXT)).toBe('html');
    expect(sourceOf({ ...TEXT, html: null, text: 'x' })).toBe('text');
    const [made] = draftsOf({ locales: [{ ...TEXT, mjml: '<mjml></mjml>' } as never] });
    expect(made).toMatchObject({ html: null, mjml: '<mjml></mjml>' });
    expect(changedLocales([TEXT], [TEXT])).toEqual([]);
    expect(
      changedLocales(
        [TEXT],
        [
          { ...TEXT, subject: 'T' },
          { ...TEXT, locale: 'fr' },
        ],
      ),
    ).toEqual(['en', 'fr']);
  });

  test.each([
    ['v3', ['v3', 'v2'], 'v4'],
    ['v3', ['v3', 'v4'], 'v5'],
    ['summer', ['summer'], 'summer-2'],
    ['2026-9', [], '2026-10'],
  ])('the version behind %s of %j is %s', (version, known, next) => {
    expect(nextVersion(version, known)).toBe(next);
  });

  test('a name is put right in its line, where it stands alone', () => {
    expect(renamed('{{ idx }}\n{{ idx }} idxs a.idx', 2, 'idx', 'index')).toBe(
      '{{ idx }}\n{{ index }} idxs a.idx',
    );
    const fault = {
      ...{ part: 'html' as const, line: 1, sentence: '', name: 'a', suggestion: 'b', count: 0, blocks: true },
    };
    expect(mended(TEXT, fault).html).toBe('<p>{{ b }}</p>');
    expect(mended(TEXT, { ...fault, suggestion: null })).toBe(TEXT);
  });
});
