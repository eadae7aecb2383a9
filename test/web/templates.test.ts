import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aTemplate } from './notices.js';
import { rowOf, toast } from './seen.js';
import { useStage } from './stage.js';
import { phone } from './widths.js';

const stage = useStage();

const plate = (page: Page, words: string | RegExp) => page.getByRole('heading', { level: 2, name: words });
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a fault is seen, mended by a press, saved, previewed in each locale and sent as a test', async () => {
  const id = await aTemplate(stage());
  const { page } = await stage().visit('/templates');
  await page.getByRole('link', { name: id }).click();
  await plate(page, 'Arabic has a fault: 1 person could be hit.').waitFor();
  await page.getByText(/^Line 3 wants rom; events bring room\. English and French are whole/).waitFor();
  await page.getByText('1 topic').waitFor();
  await page.getByText(/^1 person reads it/).waitFor();
  const cells = page.getByRole('region', { name: 'Versions and locales' });
  await cells.getByRole('row', { name: 'ar lacks something' }).waitFor();
  await cells.getByRole('row', { name: 'it none' }).waitFor();

  // Each locale in its own direction; the page around it stays as it is.
  const arabic = column(page, 'Arabic');
  await arabic.getByText('ar · right to left').waitFor();
  expect(await page.getByRole('textbox', { name: 'Subject in Arabic' }).getAttribute('dir')).toBe('rtl');
  expect(await page.getByRole('textbox', { name: 'Subject in English' }).getAttribute('dir')).toBe('ltr');
  await arabic.getByText('Line 3').waitFor();
  await page.getByRole('button', { name: 'Use room' }).click();
  await plate(page, '1 person reads Italian, which is missing; their mail would die.').waitFor();
  const frame = (name: string) => page.frameLocator(`iframe[title^="The mail: ${name}"]`);
  await frame('Arabic').getByText('07').waitFor();
  expect(await frame('Arabic').locator('[dir=rtl]').count()).toBe(1);
  await frame('French').getByText('Une place est libre').waitFor();
  await frame('English').getByText('Bread by the tide table').waitFor();
  const event = page.getByLabel('Event that feeds the previews');
  await event.selectOption({ label: 'Sample data' });
  await frame('English').getByText('[title]').waitFor();
  await event.selectOption({ index: 1 });
  await frame('English').getByText('Bread by the tide table').waitFor();

  // What stands above the mail, in each locale; who looks at a fault from there is led to the text.
  const views = page.getByRole('group', { name: 'View' });
  await views.getByRole('button', { name: 'Headers' }).click();
  const headers = arabic.getByLabel('Headers in Arabic');
  await headers.getByText('يوجد مكان شاغر: Bread by the tide table').waitFor();
  await headers.getByText('List-Unsubscribe=One-Click').waitFor();
  await column(page, 'English').getByLabel('Headers in English').getByText('box@example.org').waitFor();
  expect(await page.getByRole('textbox', { name: 'HTML in English' }).count()).toBe(0);
  const subject = page.getByRole('textbox', { name: 'Subject in English' });
  const known = await subject.inputValue();
  await subject.fill('Free: {{ title }}');
  await column(page, 'English').getByText('Free: Bread by the tide table').waitFor();
  await subject.fill(known);
  await views.getByRole('button', { name: 'Side by side' }).click();

  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByRole('button', { name: 'Correct v1' }).click();
  await toast(page, /Corrected v1/).waitFor();
  await bar.waitFor({ state: 'detached' });
  await cells.getByRole('row', { name: 'ar whole' }).waitFor();

  // What makes no sense is marked while it is typed, keeps it from being saved, and leaves the last preview.
  const source = page.getByRole('textbox', { name: 'HTML in English' });
  await source.fill('<p>{{ title | upcas }}</p>');
  await column(page, 'English').getByText('there is no filter “upcas”').waitFor();
  await bar.getByText(/Mend line 1 of en/).waitFor();
  expect(await bar.getByRole('button', { name: /^Correct|^Save/ }).count()).toBe(0);
  await column(page, 'English')
    .getByText(/the last that could be read/)
    .waitFor();
  await frame('English').getByText('Bread by the tide table').waitFor();
  await source.fill('<p>{{ title | upcase }}</p>');
  await frame('English').getByText('BREAD BY THE TIDE TABLE').waitFor();

  // A version of its own, because somebody asks for one.
  await page.getByRole('button', { name: /^New version v2 from v1/ }).click();
  await bar.getByRole('button', { name: 'Save v2' }).waitFor();
  await page.keyboard.press('Control+s');
  await toast(page, /Saved as v2\. v1 stays as it was sent/).waitFor();
  await page.waitForURL('**/templates/free-room?version=v2**');
  await page.getByRole('button', { name: /^v1/ }).click();
  await page.waitForURL('**?version=v1**');
  await frame('English').getByText('Bread by the tide table').waitFor();

  await page.getByRole('button', { name: 'Fall back to en' }).click();
  await plate(page, 'All three locales are whole.').waitFor();

  await page.getByRole('button', { name: 'Send test in French…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Test send to').fill('me@example.org');
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The test to me@example.org leaves at once').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Dev inbox' }).click();
  await page.getByText('me@example.org').first().waitFor();
});

test('with keys alone: from anywhere to a template, its locales, its fault, and a question before leaving', async () => {
  const id = await aTemplate(stage(), 'by-keys');
  const { page } = await stage().visit('/queue');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await rowOf(page, id).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('link', { name: id }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await plate(page, /^Arabic has a fault/).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL('**locale=en');
  await page.keyboard.press('F8');
  const source = page.getByRole('textbox', { name: 'HTML in Arabic' });
  await source.and(page.locator(':focus')).waitFor();
  const chosen = await source.evaluate((field) => {
    const { value, selectionStart, selectionEnd } = field as unknown as Readonly<{
      value: string;
      selectionStart: number;
      selectionEnd: number;
    }>;
    return value.slice(selectionStart, selectionEnd);
  });
  expect(chosen).toBe('<p>{{ rom }}</p>');
  await page.keyboard.type('<p>{{ roo');
  await page.getByRole('listbox', { name: 'Variables' }).getByRole('option', { name: /^room/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('</p>');
  await plate(page, /^1 person reads Italian/).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
  await page.keyboard.type('queue');
  await page.getByRole('option', { name: /queue/i, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Correct v1' }).waitFor();
  await page.keyboard.press('Control+s');
  await toast(page, /Corrected v1/).waitFor();
});

test('a new template and a new locale; a viewer sees all of it and changes nothing', async () => {
  const { page } = await stage().visit('/templates');
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('storm');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.waitForURL('**/templates/storm');
  await plate(page, 'English is whole.').waitFor();
  await page.getByRole('button', { name: 'Add a locale' }).click();
  await page.getByRole('dialog').getByLabel('Language tag').fill('en');
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.getByText('There is en already.').waitFor();
  await page.getByRole('dialog').getByLabel('Language tag').fill('pt_br');
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('textbox', { name: 'Subject in Brazilian Portuguese' }).fill('Tempestade');
  await page.getByRole('button', { name: 'Correct v1' }).click();
  await toast(page, /Corrected v1/).waitFor();

  const viewer = await stage().visit('/templates/storm', { as: await stage().person('viewer') });
  await plate(viewer.page, 'Both locales are whole.').waitFor();
  const subject = viewer.page.getByRole('textbox', { name: 'Subject in English' });
  expect(await subject.getAttribute('readonly')).not.toBeNull();
  for (const name of [/^New version/, 'Add a locale', /^Send test/])
    expect(await viewer.page.getByRole('button', { name }).count()).toBe(0);
  await viewer.page.goto('/templates/nothing');
  await viewer.page.getByText('There is no such template, or not in that version.').waitFor();
});

test('on a phone one locale is written at a time', async () => {
  const id = await aTemplate(stage(), 'by-thumb');
  const { page } = await stage().visit(`/templates/${id}`, phone(390, 844));
  await plate(page, /^Arabic has a fault/).waitFor();
  await page.getByRole('textbox', { name: 'HTML in Arabic' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'HTML in English' }).count()).toBe(0);
  const views = page.getByRole('group', { name: 'View' });
  expect(await views.getByRole('button', { name: 'Side by side' }).count()).toBe(0);
  await views.getByRole('button', { name: 'Headers' }).tap();
  await page.getByRole('button', { name: 'Line 3' }).tap();
  await page.getByRole('textbox', { name: 'HTML in Arabic' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('group', { name: 'Locales' }).getByRole('button', { name: 'en' }).tap();
  await page.getByRole('textbox', { name: 'HTML in English' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'HTML in Arabic' }).count()).toBe(0);
});

test('the pages of recipients are shown in every locale they speak, in frames that may do nothing', async () => {
  const { page } = await stage().visit('/settings/recipient-pages');
  const frame = (name: string) => page.frameLocator(`iframe[title="${name}"]`);
  await frame('Confirm, in English')
    .getByRole('heading', { name: /Bread by the tide table/ })
    .waitFor();
  await page.getByLabel('As a reader of').selectOption({ label: 'French' });
  await page.waitForURL('**?locale=fr');
  await frame('Confirm, in French').locator('html[lang=fr]').waitFor();
  for (const name of ['Manage', 'Unsubscribe', 'Stopped', 'Ask for the link']) {
    await page.locator(`iframe[title="${name}, in French"]`).scrollIntoViewIfNeeded();
    await frame(`${name}, in French`).locator('h1').waitFor();
  }
  await page.getByLabel('As a reader of').selectOption({ label: 'Arabic' });
  await frame('Manage, in Arabic').locator('html[lang=ar][dir=rtl]').waitFor();
  const sandbox = await page.locator('iframe').first().getAttribute('sandbox');
  expect(sandbox).toBe('');
});
