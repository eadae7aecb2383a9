import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What another theme can change; the rest of the markup is the same in both. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly where: readonly string[];
}

/** Runs in the page. A mail that is looked at is none of our markup. */
const runWith = (options: axe.RunOptions): string => `
  axe.run({ exclude: ['iframe[sandbox]'] }, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => ({
      id, help, where: nodes.map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary) })))`;

/** WCAG 2.2 A and AA, and what axe holds to be good practice; or only these rules. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<readonly Violation[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  return page.evaluate<Violation[]>(
    runWith({
      resultTypes: ['violations'],
      iframes: false,
      ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
    }),
  );
}

/**
 * Of the page as it stands, in the light, and then of what the dark makes of it. Painted by hand: that pages follow the
 * system is tested elsewhere, and they hear of it only with the next frame.
 */
export async function axeViolationsInBothThemes(page: Page): Promise<readonly Violation[]> {
  await paint(page, 'light');
  const inTheLight = await axeViolations(page);
  await paint(page, 'dark');
  return [...inTheLight, ...(await axeViolations(page, OF_COLOURS))];
}

const paint = (page: Page, theme: 'light' | 'dark'): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
