// @ts-check
// `npm run pictures`: the pictures of the README, taken of the product as it is, with its own demo data; `-- event template`
// takes only these.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from './services/chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const PASSWORD = 'pictures-are-taken-here';
/** So long that the demo has failed, retried and held something, and told an event. */
const LIVES_MS = 35_000;

/** @type {{ name: string, path: string, phone?: boolean, dark?: boolean, open?: string }[]} */
const PICTURES = [
  { name: 'overview', path: '/' },
  { name: 'overview-dark', path: '/', dark: true },
  { name: 'queue', path: '/queue?lane=outbox', open: 'table tbody tr:has-text("Retry later") >> nth=0' },
  { name: 'dead-letters', path: '/dead' },
  { name: 'inbox', path: '/inbox' },
  { name: 'accounts', path: '/accounts' },
  { name: 'campaigns', path: '/campaigns' },
  { name: 'campaign', path: '/campaigns', open: 'a:has-text("Quiet weeks")' },
  { name: 'dry-run', path: '/campaigns', open: 'a:has-text("See what would leave")' },
  { name: 'event', path: '/events', open: 'a:has-text("The loft over the boats is free again")' },
  { name: 'template', path: '/templates/room-free' },
  { name: 'phone', path: '/', phone: true },
];

const named = process.argv.slice(2);
const wanted = PICTURES.filter(({ name }) => named.length === 0 || named.includes(name));

const directory = await mkdtemp(join(tmpdir(), 'pillarbox-pictures-'));
const server = spawn(process.execPath, ['bin/pillarbox.js', 'serve', '--json'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    ...{ DATABASE_URL: `sqlite:${join(directory, 'demo.db')}`, PORT: '0', PILLARBOX_DEMO: '1' },
    ...{
      PILLARBOX_ADMIN_EMAIL: 'mara@harbourrooms.example',
      PILLARBOX_ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
    },
  },
});
try {
  const [line] = await Promise.race([
    server.stdout.take(1).toArray(),
    new Promise((_, reject) =>
      server.once('exit', (code) => reject(new Error(`the server ended: ${String(code)}`))),
    ),
  ]);
  const { url } = JSON.parse(String(line));
  await new Promise((resolve) => setTimeout(resolve, LIVES_MS));
  const { program } = await findChromium({ log: console.log });
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  try {
    for (const picture of wanted) await take(browser, url, picture);
  } finally {
    await browser.close();
  }
} finally {
  server.kill('SIGTERM');
  await rm(directory, { recursive: true, force: true });
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {typeof PICTURES[number]} picture
 */
async function take(browser, url, { name, path, phone = false, dark = false, open }) {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  await page.goto(`${url}/login?next=${encodeURIComponent(path)}`);
  await page.getByLabel('Email').fill('mara@harbourrooms.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}${path}`);
  await page.getByText('Live', { exact: true }).waitFor();
  if (open !== undefined) await page.locator(open).click();
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  await page.screenshot({ path: join(images, `${name}.png`) });
  await context.close();
  console.log(`docs/images/${name}.png`);
}
