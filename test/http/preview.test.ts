import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { CatcherScene, sendOnce } from '../catcher/fixture.js';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { Office, STRANGER, type Reply } from './office.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const LOGO = { filename: 'logo.png', contentType: 'image/png', contentBase64: PNG, contentId: 'logo' };
const HTML =
  '<html lang="de"><link rel="preconnect" href="https://evil.example"><body style="color: red">Grüße ' +
  '<img src="cid:logo"><img src="https://evil.example/1.gif"><img src="//evil.example/2.gif"></body></html>';
const RICH: Partial<Mail> = { subject: 'With html', html: HTML, attachments: [LOGO] };

let database: FreshDatabase;
let scene: CatcherScene;
let office: Office;

beforeAll(async () => {
  database = await freshSqlite();
  scene = await CatcherScene.open(database.url);
  office = await Office.open({ databaseUrl: database.url }, { inbox: scene.inbox });
});

afterAll(async () => {
  await office.close();
  await scene.close();
  await database.drop();
});

async function queued(over: object): Promise<string> {
  const mail = { to: 'ada@example.org', subject: 'Hello', text: 'Hello.', mode: 'queue', ...over };
  const { data } = await office.call(office.admin, 'POST', '/api/outbox', mail);
  return `/api/messages/${String(data['id'])}`;
}

async function caught(over: Partial<Mail>): Promise<string> {
  await sendOnce(scene.url, over);
  const [newest] = (await scene.inbox.list({ limit: 1 })).items;
  return `/api/inbox/${newest!.id}`;
}

const get = (url: string): Promise<Reply> => office.call(office.admin, 'GET', url);

describe.each([
  ['a message', queued, '/content'],
  ['a caught mail', caught, ''],
])('the preview of %s', (_, made, parts) => {
  test('is its html, with the images that came along and none of the tags that connect', async () => {
    const { status, headers, text } = await get(`${await made(RICH)}/preview`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html><base target="_blank"><html lang="de">/);
    expect(text).toContain('<body style="color: red">Grüße');
    expect(text).toContain(`<img src="data:image/png;base64,${PNG}">`);
    expect(text).not.toContain('<link');
  });

  test('may do nothing, wherever it is opened, and is framed by nobody else [T11] [T27]', async () => {
    const { headers } = await get(`${await made(RICH)}/preview`);
    const directives = String(headers['content-security-policy']).split('; ');
    expect(directives).toEqual([
      'sandbox',
      "default-src 'none'",
      'img-src data:',
      'font-src data:',
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-dns-prefetch-control']).toBe('off');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test('is not there without html, and says so as JSON under the usual policy', async () => {
    const { status, headers, error } = await get(`${await made({ text: 'Only text.' })}/preview`);
    expect([status, error.code, error.message]).toEqual([
      404,
      'not_found',
      'this mail has no html to preview',
    ]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('leaves out what comes from elsewhere, and the parts tell how much that is', async () => {
    expect((await get(`${await made(RICH)}${parts}`)).data['remoteImages']).toBe(2);
    expect((await get(`${await made({ text: 'Only text.' })}${parts}`)).data['remoteImages']).toBe(0);
  });

  test('is for those who may read', async () => {
    const url = `${await made(RICH)}/preview`;
    expect((await office.call(STRANGER, 'GET', url)).status).toBe(401);
    expect((await office.call(await office.key(['send']), 'GET', url)).status).toBe(403);
    expect((await office.call(await office.person('viewer'), 'GET', url)).status).toBe(200);
  });
});
