import type { Page } from 'playwright-core';

/**
 * To another page of the app, as a link leads there: nothing is loaded again but what that page asks for. By way of the
 * log-in page, which has nothing of the others, so that whatever is then waited for is not from before. Who begins on
 * that page need not wait for it.
 */
export async function follow(page: Page, address: string): Promise<void> {
  const between = page.getByRole('heading', { level: 1, name: 'Sign in' });
  await push(page, '/login');
  await between.waitFor();
  if ((await page.getByRole('dialog').count()) > 0) throw new Error('a question is open, and goes along');
  await push(page, address);
  await between.waitFor({ state: 'detached' });
}

const push = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
