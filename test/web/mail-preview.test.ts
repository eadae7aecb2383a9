import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import { expect, test } from 'vitest';
import { CERTAIN, hostileHtml, hostsIn, linksTo } from './hostile-mail.js';
import { NOBODY, useStage, type Visitor } from './stage.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const LOGO = { filename: 'logo.png', contentType: 'image/png', contentBase64: PNG, contentId: 'logo' };

const stage = useStage();

async function previewOf(html: string): Promise<string> {
  const mail = { to: 'ada@example.org', subject: 'Look at this', html, attachments: [LOGO] };
  const { id } = await stage().call('POST', '/api/outbox', mail);
  return `/api/messages/${String(id)}/preview`;
}

/** In a page of ours, under its policy, as the pages show it. */
async function framed(path: string): Promise<Visitor & { readonly frame: Frame }> {
  const visitor = await stage().visit('/settings/you');
  await visitor.page.waitForLoadState();
  await visitor.page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    Object.assign(frame, { src: ${JSON.stringify(path)}, sandbox: '', onload: resolve, width: 800, height: 600 });
    document.body.prepend(frame);
  })`);
  const frame = visitor.page.frames().find((each) => each.url().endsWith(path));
  return { ...visitor, frame: frame! };
}

/**
 * The same html where nothing is forbidden. Once it has reached the world from there, whatever could have reached it
 * from the preview, which was opened before, has had the time for it.
 */
async function untilControlConnects(domain: string): Promise<void> {
  await using site = await siteThatShows(hostileHtml(domain));
  await stage().visit(site.url, { as: NOBODY, watched: false });
  const hosts = CERTAIN.map((name) => `${name}.${domain}`);
  await expect.poll(() => hosts.filter((host) => !stage().trap.heard(hosts).includes(host))).toEqual([]);
}

async function siteThatShows(html: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const look = (frame: Frame): Promise<unknown> =>
  frame.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector('p'));
    const { complete, naturalWidth } = document.querySelector('#logo');
    return { color: style.color, size: style.fontSize, logo: complete && naturalWidth, origin: self.origin };
  })()`);

test('a mail shows its own style and the images that came along, and is of no origin', async () => {
  const { frame } = await framed(await previewOf(hostileHtml('shown.example')));
  expect(await look(frame)).toEqual({ color: 'rgb(1, 2, 3)', size: '33px', logo: 1, origin: 'null' });
});

test('a mail reaches nobody and runs nothing, in the frame and as a page of its own [F50] [T11]', async () => {
  const html = hostileHtml('mail.example');
  const path = await previewOf(html);
  const { page, frame } = await framed(path);
  const alone = await page.context().newPage();
  await alone.goto(path);
  expect(await look(alone.mainFrame())).toMatchObject({ origin: 'null', color: 'rgb(1, 2, 3)' });
  await untilControlConnects('first-control.example');
  expect(stage().trap.heard(hostsIn(html))).toEqual([]);
  expect([frame.url(), alone.url()]).toEqual([`${stage().url}${path}`, `${stage().url}${path}`]);
  expect([await page.title(), await alone.title()]).not.toContain('Taken over');
  expect(frame.childFrames()).toEqual([]);
});

test('links and forms of a mail lead nowhere, whatever they say about where they open', async () => {
  const html = linksTo('links.example');
  const path = await previewOf(html);
  const { page, frame } = await framed(path);
  const clickAll = async (where: Frame): Promise<void> => {
    for (const id of ['plain', 'self', 'empty', 'top', 'parent', 'blank', 'form']) {
      await where.locator(`#${id}`).click();
    }
  };
  const alone = await page.context().newPage();
  await alone.goto(path);
  const pages = page.context().pages();
  await clickAll(frame);
  await clickAll(alone.mainFrame());
  await untilControlConnects('second-control.example');
  expect(stage().trap.heard(hostsIn(html))).toEqual([]);
  expect([page.url(), frame.url(), alone.url()]).toEqual([
    `${stage().url}/settings/you`,
    `${stage().url}${path}`,
    `${stage().url}${path}`,
  ]);
  expect(page.context().pages()).toEqual(pages);
});

test('no other site can frame a mail, nor any page of ours', async () => {
  const paths = [await previewOf('<p>Framed</p>'), '/', '/login'];
  const html = paths.map((path) => `<iframe src="${stage().url}${path}"></iframe>`).join('');
  await using site = await siteThatShows(html);
  const { page } = await stage().visit(site.url, { watched: false });
  await page.waitForLoadState();
  const [, ...frames] = page.frames();
  expect(frames.map((frame) => frame.url())).toEqual(paths.map(() => 'chrome-error://chromewebdata/'));
});
