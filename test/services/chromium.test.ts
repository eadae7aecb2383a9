import { chromium } from 'playwright-core';
import { afterEach, expect, test, vi } from 'vitest';
import { startServices, statusOf } from '../../scripts/services/index.mjs';
import { required } from '../postgres.js';

afterEach(() => vi.unstubAllEnvs());

async function found(): Promise<string | undefined> {
  const services = await startServices({ want: ['chromium'] });
  await services.stop();
  return statusOf(services)[0]?.line;
}

test('Chromium is a real browser, of the version that it says', async () => {
  const executablePath = required('PILLARBOX_TEST_CHROMIUM');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    expect(await found()).toBe(`with Chromium ${browser.version()}`);
  } finally {
    await browser.close();
  }
});

test.each(['/nowhere/chromium', '/bin/true', '/bin/false'])(
  'a browser that is none says so and what to do: %s',
  async (program) => {
    vi.stubEnv('PILLARBOX_TEST_CHROMIUM', program);
    expect(await found()).toMatch(
      new RegExp(`^without Chromium: ${program} can't be run .*set PILLARBOX_TEST_CHROMIUM to the program$`),
    );
  },
);
