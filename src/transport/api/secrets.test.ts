import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './secrets.js';

const KEY = 're_Ab12Cd34/Ef56+Gh78=';

describe('a secret is not in what is shown', () => {
  test.each([
    ['as it is', KEY],
    ['in a form', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['its beginning', KEY.slice(0, 10)],
    ['its end', KEY.slice(-12)],
    ['in quotes', `"${KEY}"`],
    ['after a mark', `key=${KEY};`],
  ])('%s', (_how, said) => {
    const shown = withoutSecrets(`API key ${said} is invalid`, [KEY]);
    expect(shown).toContain('[hidden]');
    expect(shown).not.toMatch(/Ab12|Ef56|Gh78/);
    expect(shown).toMatch(/^API key .* is invalid$/);
  });
});

test('words stay words', () => {
  const text = 'This API key is restricted to only send emails.';
  expect(withoutSecrets(text, ['', 're_send', 'only'])).toBe(text.replace('only', '[hidden]'));
});
