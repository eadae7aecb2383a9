import { describe, expect, test } from 'vitest';
import { checkTransport } from './input.js';

const check = (url: string, allowPrivate: boolean) =>
  checkTransport({ kind: 'smtp', url }, { allowPrivate, resolver: () => Promise.resolve(['1.1.1.1']) });
const refusal = (why: string) => expect.objectContaining({ field: 'transport.url', message: why }) as Error;
const WRONG_PORT = refusal('transport.url: should have the port 25, 465, 587, 2525');

describe('the port of an account that people add', () => {
  test.each([25, 465, 587, 2525])('may be %i, wherever the server is', async (port) => {
    await check(`smtp://mail.example.org:${port}`, false);
    await check(`smtp://mail.example.org:${port}`, true);
    await check(`smtps://1.1.1.1:${port}`, false);
    await check(`smtp://10.0.0.1:${port}`, true);
  });

  test.each(['smtp://mail.example.org', 'smtps://mail.example.org', 'smtp://mail.example.org?tls=none'])(
    'is one of those where %s says none',
    async (url) => {
      await check(url, false);
    },
  );

  test.each([
    'smtp://127.0.0.1:1025',
    'smtp://localhost:6379',
    'smtps://[::1]:8465',
    'smtp://mailpit.example:1025',
  ])('may be any while private hosts are allowed, and only then: %s', async (url) => {
    await check(url, true);
    await expect(check(url, false)).rejects.toThrow(WRONG_PORT);
  });

  test('is not repeated, nor is anything else of the URL', async () => {
    const answer = check('smtp://ada:hunter2@mail.example.org:31337', false).catch((error: unknown) => error);
    expect(String(await answer)).not.toMatch(/hunter2|31337|mail\.example/);
  });
});
