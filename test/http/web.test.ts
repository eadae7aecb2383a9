import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '#pillarbox/http/web/addresses';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { Office, STRANGER } from './office.js';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };
const INDEX = '<!doctype html><title>Built</title><script type="module" src="/assets/app-1a2b.js"></script>';
const SCRIPT = 'console.log("a program of some length, of some length, of some length");';

let database: FreshDatabase;
let directory: string;

beforeAll(async () => {
  database = await freshSqlite();
  directory = await mkdtemp(join(tmpdir(), 'pillarbox-web-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), INDEX);
  await writeFile(join(directory, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(directory, 'assets/app-1a2b.js'), SCRIPT);
  await writeFile(join(directory, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(directory, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(directory, 'assets/style-3c4d.css'), 'body { margin: 0 }');
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});

const addressOf = (url: string): string => url.replace(/:\w+|\*/, 'x1');

describe('the admin UI', () => {
  let office: Office;

  beforeAll(async () => {
    office = await Office.open({ databaseUrl: database.url }, { webDirectory: directory });
  });

  afterAll(() => office.close());

  test.each(PAGES.map(addressOf))('is at %s, for a stranger too, and never out of date', async (url) => {
    const { status, headers, text } = await office.call(STRANGER, 'GET', `${url}?state=dead`);
    expect([status, text]).toEqual([200, INDEX]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
  });

  test('lives under a policy that lets in no script, style or frame but its own [T11] [T27]', async () => {
    for (const url of ['/', '/queue/x1', '/nowhere', '/assets/app-1a2b.js']) {
      const { headers } = await office.call(BROWSER, 'GET', url);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('shows its own page where a browser asks for what is not there [T28]', async () => {
    for (const url of ['/nowhere', '/queue/x1/deeper', '/index.htm']) {
      const { status, headers, text } = await office.call(BROWSER, 'GET', url);
      expect([url, status, text]).toEqual([url, 404, INDEX]);
      expect(headers['cache-control']).toBe('no-cache');
    }
  });

  test('leaves the addresses of programs and files to JSON', async () => {
    for (const url of ['/api/nothing', '/api', '/docs/nothing', '/assets/gone-5e6f.js']) {
      const { status, error } = await office.call(BROWSER, 'GET', url);
      expect([url, status, error.code]).toEqual([url, 404, 'not_found']);
    }
    expect((await office.call(STRANGER, 'GET', '/nowhere')).error.code).toBe('not_found');
    expect((await office.call(BROWSER, 'POST', '/queue')).error.code).toBe('not_found');
  });

  test('is where the old address of the queue leads', async () => {
    const { status, headers } = await office.call(BROWSER, 'GET', '/admin/email-queue');
    expect([status, headers.location]).toEqual([302, '/queue']);
  });

  test('has files that a browser may keep for ever, because their names change with them', async () => {
    const { status, headers, text } = await office.call(STRANGER, 'GET', '/assets/app-1a2b.js');
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const mark = await office.call(STRANGER, 'GET', '/mark.svg');
    expect([mark.status, mark.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(mark.headers['cache-control']).toBe('no-cache');
  });

  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
  ])('hands out what was compressed at the build to who takes %s', async (accepted, encoding, unpack) => {
    const reply = await office.app.inject({
      url: '/assets/app-1a2b.js',
      headers: { 'accept-encoding': accepted },
    });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(String(reply.headers.vary).toLowerCase()).toContain('accept-encoding');
    expect(unpack(reply.rawPayload).toString()).toBe(SCRIPT);
    const plain = await office.app.inject({
      url: '/assets/style-3c4d.css',
      headers: { 'accept-encoding': accepted },
    });
    expect([plain.statusCode, plain.body]).toEqual([200, 'body { margin: 0 }']);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  test('lets nobody out of its directory [T26]', async () => {
    await writeFile(join(directory, '..', 'pillarbox-outside.txt'), 'outside');
    for (const url of [
      '/../pillarbox-outside.txt',
      '/assets/../../pillarbox-outside.txt',
      '/assets/%2e%2e/%2e%2e/pillarbox-outside.txt',
      '/assets/..%2f..%2fpillarbox-outside.txt',
      '/assets//../index.html',
      '/assets/',
    ]) {
      const { status, text } = await office.call(STRANGER, 'GET', url);
      expect([url, status]).toEqual([url, 404]);
      expect(text).not.toContain('outside');
    }
    await rm(join(directory, '..', 'pillarbox-outside.txt'));
  });

  test('stands in no documentation: it is not for programs', async () => {
    const { text } = await office.call(STRANGER, 'GET', '/openapi.json');
    const { paths } = JSON.parse(text) as { paths: object };
    expect(
      Object.keys(paths).filter((path) => !/^\/(?:api|healthz|readyz|metrics|[cmu]\/|m$)/.test(path)),
    ).toEqual([]);
  });
});

test('where the UI was not built, a plain page stands in at the same addresses', async () => {
  const office = await Office.open(
    { databaseUrl: database.url },
    { webDirectory: join(directory, 'not-there') },
  );
  for (const url of [...PAGES.map(addressOf), '/nowhere']) {
    const { status, headers, text } = await office.call(BROWSER, 'GET', url);
    expect([url, status]).toEqual([url, url === '/nowhere' ? 404 : 200]);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('href="/docs"');
    expect(text).not.toMatch(/<script|<style|style=/);
  }
  expect((await office.call(BROWSER, 'GET', '/assets/app-1a2b.js')).error.code).toBe('not_found');
  await office.close();
});
