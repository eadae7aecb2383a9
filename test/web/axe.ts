import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What another theme can change; the rest of the markup is the same in both. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** WCAG 2.2 A and AA, and what axe holds to be good practice. A mail that is looked at is none of our markup. */
export async function expectNoAxeViolations(page: Page, rules?: readonly string[]): Promise<void> {
  // Legacy: everything in this page. The other mode opens a page for each run, only for frames that are excluded here.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .exclude('iframe[sandbox]')
    .setLegacyMode(true);
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
  expect(
    violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    })),
  ).toEqual([]);
}

/** The page as it stands, in the light, and then what the dark makes of it. */
export async function expectNoAxeViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoAxeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoAxeViolations(page, OF_COLOURS);
}
