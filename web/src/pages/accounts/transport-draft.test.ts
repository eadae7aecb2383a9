import { expect, test } from 'vitest';
import { apiField, draftOf, isStored, transportOf } from './transport-draft';

const SMTP = { kind: 'smtp', url: 'smtp://ada%40example.org:********@mail.example.org:587' };
const HTTP = { kind: 'http', baseUrl: 'https://api.example.org', apiKey: '********' };

test('a secret never comes into the form', () => {
  expect(draftOf(SMTP)).toEqual({
    kind: 'smtp',
    values: { server: 'smtp://ada%40example.org@mail.example.org:587', ca: '' },
  });
  expect(draftOf(HTTP)).toEqual({ kind: 'http', values: { baseUrl: 'https://api.example.org' } });
});

test('what was shown and not touched goes back as it came', () => {
  for (const transport of [
    SMTP,
    HTTP,
    { kind: 'file', directory: '/tmp/mail' },
    { kind: 'smtp', url: 'smtp://127.0.0.1:25' },
  ])
    expect(transportOf(draftOf(transport), transport)).toEqual(transport);
});

test('a new secret replaces the stored one, whatever characters it has', () => {
  const { kind, values } = draftOf(SMTP);
  const given = transportOf({ kind, values: { ...values, password: 'p@ss/word: 7%' } }, SMTP) as {
    url: string;
  };
  expect(decodeURIComponent(new URL(given.url).password)).toBe('p@ss/word: 7%');
});

test('another kind keeps nothing of the one before', () => {
  expect(isStored(SMTP, 'http', 'apiKey')).toBe(false);
  expect(transportOf({ kind: 'http', values: { baseUrl: ' https://b.example ' } }, SMTP)).toEqual({
    kind: 'http',
    baseUrl: 'https://b.example',
  });
});

test('what cannot be read as an address is left to the server', () => {
  expect(transportOf({ kind: 'smtp', values: { server: 'mail', password: 'x' } }, undefined)).toEqual({
    kind: 'smtp',
    url: 'mail',
  });
});

test('the server names its own field, and the form knows which of its fields that is', () => {
  expect(apiField('smtp', 'server')).toBe('transport.url');
  expect(apiField('http', 'apiKey')).toBe('transport.apiKey');
});
