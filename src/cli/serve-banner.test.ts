import { expect, test } from 'vitest';
import { bannerOf, programFor } from './serve-banner.js';

test('the banner shows the call that works where it is installed', () => {
  expect(programFor('file:///srv/app/node_modules/pillarbox/dist/cli/serve.js')).toBe('npx pillarbox');
  expect(programFor('file:///srv/pillarbox/dist/cli/serve.js')).toBe('node bin/pillarbox.js');
});

const serving = { url: 'http://127.0.0.1:8025', catcherUrl: 'smtp://127.0.0.1:1025', demo: false };

test('behind a proxy the banner names what people type, and where it listens', () => {
  const config = { publicUrl: 'https://mail.example.org/', adminPassword: undefined };
  const text = bannerOf(serving, undefined, config, true).join('\n');
  expect(text).toContain('Pillarbox runs at https://mail.example.org\n');
  expect(text).toContain('  listens   http://127.0.0.1:8025\n');
  expect(text).toContain('  inbox     https://mail.example.org/inbox\n');
  expect(text).toContain('  docs      https://mail.example.org/docs\n');
});

test('without one it names the address once', () => {
  const text = bannerOf(serving, undefined, { publicUrl: undefined, adminPassword: undefined }, false).join(
    '\n',
  );
  expect(text).toContain('Pillarbox runs at http://127.0.0.1:8025, without a worker\n');
  expect(text).not.toContain('listens');
});
