import type { Locator, Page } from 'playwright-core';

/** The row of a list that says this. */
export const rowOf = (page: Page, words: string): Locator => page.getByRole('row').filter({ hasText: words });

/** A mail that is opened, by its subject. */
export const opened = (page: Page, subject: string): Locator =>
  page.getByRole('region', { name: subject, exact: true });

/** Read out and shown for a while, at the foot of the page. */
export const toast = (page: Page, words: string | RegExp): Locator =>
  page.getByRole('status').getByText(words);

/** A place in the rail. What it counts stands in its name. */
export const place = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

/** What is said about a field to who cannot see it: what is wrong with it, and what it does. */
export async function descriptionOf(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const texts = ids.split(' ').map((id) => field.page().locator(`[id="${id}"]`).innerText());
  return (await Promise.all(texts)).join(' ');
}
