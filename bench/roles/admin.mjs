// @ts-check
import { chromium } from 'playwright-core';
import { createPillarbox } from '../../dist/index.js';
import { prepareAccess } from '../../dist/access/first-run.js';
import { Gatekeeper } from '../../dist/access/gatekeeper.js';
import { listen } from '../../dist/http/listen.js';
import { buildServer } from '../../dist/http/server.js';
import { findChromium } from '../../scripts/services/chromium.mjs';
import { log, noTransport } from '../contenders/pillarbox.mjs';
import { aMail } from '../mails.mjs';

const WATCHED_MS = 10_000;
const MAILS_AT_ONCE = 20;
const EVERY_MS = 500;
const STEP_MS = 100;
/** After the first rows, until the rest of the page stands. */
const SETTLED_MS = 1_000;
const LOGIN = { email: 'bench@localhost', password: 'measured-in-the-open' };

/**
 * One look at the queue page while mail moves.
 *
 * @param {{ url: string }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url: databaseUrl }, parent) {
  const box = await createPillarbox({
    databaseUrl,
    workspace: 'bench',
    transport: noTransport(() => {}),
    log,
  });
  const service = {
    ...{ box, gatekeeper: new Gatekeeper(box.store, box.home.id), log, cronSecret: undefined },
    publicUrl: '',
  };
  await prepareAccess(box.store, box.home.id, {
    apiKey: undefined,
    adminEmail: LOGIN.email,
    adminPassword: LOGIN.password,
  });
  const { url, close } = await listen(await buildServer(service), '127.0.0.1', 0);
  service.publicUrl = url;
  await box.start();
  const { program } = await findChromium({ log: console.error });
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript({ content: WATCH });
    const signedIn = await page.request.post(`${url}/api/auth/login`, { data: LOGIN });
    if (!signedIn.ok()) throw new Error(await signedIn.text());
    await page.goto(`${url}/queue`);
    await page.locator('tbody tr').first().waitFor();
    const opened = await readings(page);
    await page.waitForTimeout(SETTLED_MS);
    const loaded = await readings(page);
    await page.evaluate('seen.longestTask = 0');
    const feeding = setInterval(() => void feed(box), EVERY_MS);
    const until = performance.now() + WATCHED_MS;
    for (let n = 0; performance.now() < until; n += 1) {
      await page.mouse.wheel(0, n % 20 < 10 ? 120 : -120);
      await page.keyboard.press(n % 8 < 4 ? 'j' : 'k');
      await page.waitForTimeout(STEP_MS);
    }
    clearInterval(feeding);
    const watched = await readings(page);
    parent.tell({
      kind: 'result',
      figures: {
        interactive: opened.interactive,
        'longest task': watched.longestTask,
        'longest task of the load': loaded.longestTask,
        script: opened.scriptBytes / 1_000,
      },
    });
  } finally {
    await browser.close();
    await close();
    await box.stop();
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ interactive: number, longestTask: number, scriptBytes: number }>}
 */
const readings = (page) => page.evaluate(READINGS);

/** @param {import('../../dist/index.js').Pillarbox} box */
async function feed(box) {
  await box.outbox.enqueueMany(Array.from({ length: MAILS_AT_ONCE }, (_, n) => aMail(n)));
}

/** Runs in the page, before anything of its own. */
const WATCH = `
  globalThis.seen = { interactive: 0, longestTask: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('tbody tr') === null) requestAnimationFrame(look);
    else seen.interactive = performance.now();
  };
  requestAnimationFrame(look);`;

/** In the page, too: what was seen, and what its scripts weighed on the way. */
const READINGS = `({
  ...seen,
  scriptBytes: performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
})`;
