import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { follow } from './follow.js';
import { hostileHouse, type HostileHouse } from './hostile-house.js';
import { ELSEWHERE, HOSTILE, numbered } from './hostile-texts.js';
import { useStage } from './stage.js';
import { phone, settling, tooWide } from './widths.js';

const stage = useStage();
let house: HostileHouse;
beforeAll(async () => {
  house = await hostileHouse(stage());
});

/**
 * Everything in the page that no text of anybody may become, and every character in it that nobody sees; but for what is
 * being written, which has to stay as it is: of that the page tells which they are.
 */
const INSPECT = `(() => {
  const foreign = [...document.querySelectorAll('*')].filter((element) =>
    element.matches('script:not([src^="/assets/"]), iframe:not([sandbox=""]), object, embed, base, style, form[action], meta[http-equiv], marquee, video, details[ontoggle], :is(a, area)[href^="javascript" i], a[href^="data:"], [src*="hostile"], [srcset]')
    || [...element.attributes].some(({ name }) => name.startsWith('on')));
  const spoken = [...document.querySelectorAll('[aria-label], [title]')].map((element) =>
    (element.getAttribute('aria-label') ?? '') + (element.getAttribute('title') ?? ''));
  const body = document.body.cloneNode(true);
  for (const written of body.querySelectorAll('textarea')) written.remove();
  const text = document.title + body.textContent + spoken.join('');
  const unseen = text.match(/.{0,20}[\\0-\\x08\\x0B-\\x1F\\x7F-\\x9F\\xAD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u2064\\u2066-\\u206F\\uFEFF].{0,20}/gu);
  return { foreign: foreign.map((element) => element.outerHTML.slice(0, 200)), unseen };
})()`;

async function expectOnlyText(page: Page): Promise<void> {
  expect(await page.evaluate(INSPECT)).toEqual({ foreign: [], unseen: null });
}

/** All of them are there, by their numbers; some as a whole. */
async function expectAllShown(page: Page, texts: readonly string[] = numbered()): Promise<void> {
  const wanted = texts.map((text) => text.slice(0, 4));
  await expect
    .poll(async () => {
      const shown = (await page.locator('body').textContent()) ?? '';
      return wanted.filter((number) => !shown.includes(number));
    })
    .toEqual([]);
}

test('there are fifty of them', () => {
  expect(HOSTILE).toHaveLength(50);
});

test('the queue shows fifty hostile subjects as text [F50] [T11]', async () => {
  const { page } = await stage().visit('/queue?state=dead');
  await expectAllShown(page);
  await page.getByText(`p00 ${HOSTILE[0]!}`, { exact: true }).waitFor();
  await expectOnlyText(page);
});

/** Longer than 20 s with those below: fifty mails are opened, each with its preview, and every page there is. */
test('the drawer shows each of them as text, with its preview', async () => {
  const { page } = await stage().visit(`/queue/${house.dead[0]!}?state=dead`);
  for (const text of numbered()) {
    await page.getByRole('heading', { level: 2, name: text.slice(0, 4) }).waitFor();
    await page.getByRole('region', { name: 'Safe preview' }).waitFor();
    await expectOnlyText(page);
    // The newest is first, so the next in time is the one before.
    await page.keyboard.press('k');
  }
});

test('the drawer shows a mail of fifty hostile parts as text, whatever tab is open', async () => {
  const { page } = await stage().visit('/login');
  const panel = page.getByRole('tabpanel');
  const shown: Readonly<Record<string, () => Promise<void>>> = {
    attempts: () => expectAllShown(page),
    headers: () => page.getByText('X-Hostile-49').waitFor(),
    raw: () => page.getByText('X-Hostile-0:').first().waitFor(),
    json: () => page.getByText('"subject"').first().waitFor(),
    history: () =>
      panel
        .getByText(/Accepted/)
        .first()
        .waitFor(),
  };
  for (const [tab, isShown] of Object.entries(shown)) {
    await follow(page, `/queue/${house.everything}?tab=${tab}`);
    await isShown();
    await expectOnlyText(page);
  }
  await follow(page, `/queue/${house.everything}`);
  for (const part of ['Text', 'Invite', 'HTML']) {
    await page.getByRole('radio', { name: part }).click();
    await expectOnlyText(page);
  }
});

test('dead letters show fifty hostile answers of a server as text', async () => {
  const { page } = await stage().visit('/dead');
  await page.getByRole('table').waitFor();
  await expectOnlyText(page);
  const causes = page.getByRole('row').getByRole('button', { expanded: false });
  for (let n = 0; n < Math.min(3, await causes.count()); n += 1) {
    await causes.nth(n).click();
    await page.getByRole('heading', { name: 'Newest letters' }).waitFor();
    await expectOnlyText(page);
    await page.getByRole('row').getByRole('button', { expanded: true }).click();
  }
});

test('the inbox shows fifty hostile parts, and those of a foreign mail, as text', async () => {
  const { page } = await stage().visit('/login');
  for (const part of ['html', 'text', 'headers', 'raw', 'files', 'calendar']) {
    await follow(page, `/inbox/${house.caught}?part=${part}`);
    await page.getByRole('tabpanel').waitFor();
    if (part === 'text' || part === 'files' || part === 'calendar') await expectAllShown(page);
    if (part === 'text') await page.getByText('bell␇ escape␛[2J').waitFor();
    await expectOnlyText(page);
    await page.getByRole('link', { name: /foreign/ }).click();
    await page.getByRole('heading', { level: 2, name: /foreign bell.*‹202E›evil/ }).waitFor();
    await expectOnlyText(page);
  }
});

test('what was done and tried shows them as text, wherever it is listed', async () => {
  const { page } = await stage().visit('/accounts');
  await expectAllShown(page, house.names.slice(0, 20));
  await expectOnlyText(page);
  await follow(page, '/limits');
  await expectAllShown(page, house.names.slice(0, 20));
  await expectOnlyText(page);
  await follow(page, `/accounts/${house.named}`);
  await page.getByText('sending day n').waitFor();
  await expectOnlyText(page);
  await follow(page, `/accounts/${house.named}?tab=limits`);
  await page.getByRole('heading', { name: 'Days and hours' }).waitFor();
  await expectOnlyText(page);
  await follow(page, `/accounts/${house.account}?tab=activity`);
  await expectAllShown(page);
  await expectOnlyText(page);
  await follow(page, '/settings/keys');
  await page.getByText(house.names.at(-1)!).first().waitFor();
  await expectOnlyText(page);
  await follow(page, '/settings/people');
  await page.getByText("{{7*7}}'onclick=alert'").first().waitFor();
  await expectOnlyText(page);
  await follow(page, '/settings/audit');
  await page.getByRole('table').waitFor();
  await expectOnlyText(page);
  await follow(page, '/');
  await page.getByRole('heading', { name: 'Accounts today' }).waitFor();
  await expectOnlyText(page);
});

test('campaigns show hostile names, reasons and subjects as text, wherever they stand', async () => {
  const { page } = await stage().visit('/campaigns');
  await page.getByRole('table').waitFor();
  await expectOnlyText(page);
  await follow(page, `/campaigns/${house.campaign}/people`);
  await expectAllShown(page, numbered().slice(0, 40));
  await expectOnlyText(page);
  for (const filter of [/^Next step /, /^Account /]) {
    await page.getByRole('button', { name: filter }).click();
    await page.getByRole('menuitem').first().waitFor();
    await expectOnlyText(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  }
  for (const part of ['', '/set-up', '?view=table']) {
    await follow(page, `/campaigns/${house.campaign}${part}`);
    await page.getByRole('heading', { level: 2, name: /^Paused by .* since/ }).waitFor();
    await expectOnlyText(page);
  }
  for (const step of ['people', 'sequence', 'accounts', 'dry-run']) {
    await follow(page, `/campaigns/${house.draft}/launch/${step}`);
    await page.getByRole('button').or(page.getByRole('radio')).last().waitFor();
    await expectOnlyText(page);
  }
});

test('contacts, files and sequences show them as text, also in the frame of a preview', async () => {
  const { page } = await stage().visit('/contacts');
  await page.getByRole('link', { name: 'Older' }).waitFor();
  await expectOnlyText(page);
  await follow(page, `/contacts/${house.contact}`);
  await page.getByRole('heading', { level: 1, name: /p48 WWW/ }).waitFor();
  await expectOnlyText(page);
  await follow(page, `/contacts/import/${house.imported}`);
  await page.getByRole('region', { name: 'Left out' }).getByText('p00').first().waitFor();
  await expectOnlyText(page);
  await follow(page, '/contacts/import');
  await page.getByRole('link', { name: house.names[0]! }).waitFor();
  await expectOnlyText(page);
  await follow(page, `/contacts/import/${house.uploaded}`);
  await page.getByRole('button', { name: /^Import/ }).waitFor();
  await expectOnlyText(page);
  await follow(page, '/sequences');
  await page.getByRole('table').waitFor();
  await expectOnlyText(page);
  await follow(page, `/sequences/${house.sequence}`);
  await page.frameLocator('iframe').getByText('p00').first().waitFor();
  await expectOnlyText(page);
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('region', { name: 'Text of the mail' }).getByText('p00').waitFor();
  await expectOnlyText(page);
  // What nobody can save is marked, and is text all the same.
  await page.getByRole('textbox', { name: 'Text or HTML' }).fill(numbered().join('\n'));
  await page
    .getByText(/^Step 1 has .*faults?: every mail/)
    .first()
    .waitFor();
  await page.getByText('U+202E').first().waitFor();
  await expectOnlyText(page);
  await page
    .getByRole('region', { name: 'Changes that are not saved' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('p48');
  await page.getByRole('dialog').getByRole('option', { name: /^p48/i }).first().waitFor();
  await expectOnlyText(page);
});

test('events and subscriptions show fifty hostile topics, types, keys and payloads as text', async () => {
  const { page } = await stage().visit('/events');
  await expectAllShown(page);
  await expectOnlyText(page);
  await page.getByRole('button', { name: /^Topic/ }).click();
  await page.getByRole('menu').waitFor();
  await expectAllShown(page);
  await expectOnlyText(page);
  await page.keyboard.press('Escape');
  for (const tab of ['', '?tab=payload', '?tab=history', '?tab=mails']) {
    await follow(page, `/events/${house.event}${tab}`);
    await page.getByRole('tab', { selected: true }).waitFor();
    await page.getByRole('region', { name: /^p48 WWW/ }).waitFor();
    await expectOnlyText(page);
  }
  await follow(page, '/subscriptions');
  await expectAllShown(page);
  await expectOnlyText(page);
  await follow(page, `/subscriptions/${house.subscription}`);
  await page
    .getByRole('list', { name: 'History' })
    .getByText(/^p48 WWW.* again$/)
    .waitFor();
  await expectOnlyText(page);
});

test('templates and suppressions show them as text, also in the frames of previews', async () => {
  const { page, watch } = await stage().visit('/templates/hostile');
  // What runs nowhere says so.
  watch.allow(/Blocked script execution in .*\/api\/templates\/document/);
  await page.locator('iframe').first().contentFrame().getByText('p00').first().waitFor();
  await page.getByRole('region', { name: 'Text of the mail in Arabic' }).getByText('p00').waitFor();
  await expectOnlyText(page);
  await follow(page, '/templates');
  await page.getByRole('table').waitFor();
  await expectOnlyText(page);
  await follow(page, '/settings/suppressions?q=noted');
  await page.getByRole('row').filter({ hasText: 'noted0@example.org' }).getByText('p00').last().waitFor();
  await expectOnlyText(page);
});

test('a hostile address is text, too', async () => {
  const { page } = await stage().visit(
    `/queue?q=${encodeURIComponent(numbered().slice(40, 46).join(' '))}&to=%E2%80%AEx`,
  );
  await page.getByRole('search', { name: 'Filters' }).getByText('p40').first().waitFor();
  await expectOnlyText(page);
});

test('no text is so long that a page of a phone becomes wider', async () => {
  const { page } = await stage().visit('/login', phone(320, 568));
  const settled = settling(page);
  const wide = house.dead[HOSTILE.findIndex((text) => text.startsWith('WWW'))]!;
  const faults: Record<string, string[]> = {};
  for (const path of [
    ...['/', '/queue?state=dead', `/queue/${wide}`, `/queue/${house.everything}?tab=history`, '/dead'],
    ...[`/inbox/${house.caught}?part=text`, `/inbox/${house.caught}?part=files`],
    ...['/accounts', '/limits', `/accounts/${house.account}?tab=activity`],
    ...[`/accounts/${house.named}`, `/accounts/${house.named}?tab=limits`],
    ...['/contacts', '/contacts/import', `/contacts/${house.contact}`, `/contacts/import/${house.imported}`],
    ...[`/contacts/import/${house.uploaded}`, '/sequences', `/sequences/${house.sequence}`],
    ...['/events', `/events/${house.event}`, `/events/${house.event}?tab=payload`, '/subscriptions'],
    ...[`/subscriptions/${house.subscription}`, `/subscriptions/${house.subscription}?tab=json`],
    ...['/settings/keys', '/settings/people', '/settings/audit'],
    '/settings/suppressions?q=noted',
    ...['/campaigns', `/campaigns/${house.campaign}`, `/campaigns/${house.campaign}/people`],
    ...[`/campaigns/${house.draft}/launch/people`, `/campaigns/${house.draft}/launch/dry-run`],
  ]) {
    await follow(page, path);
    await settled();
    const fault = await tooWide(page);
    if (fault.length > 0) faults[path] = fault;
  }
  await follow(page, '/settings/keys');
  await page.getByRole('button', { name: /^Revoke p48 WWW/ }).tap();
  await page.getByRole('dialog').waitFor();
  faults['a question'] = await tooWide(page);
  expect(faults).toEqual({ 'a question': [] });
});

test('none of them reached anybody [F50]', () => {
  expect(stage().trap.heard([ELSEWHERE])).toEqual([]);
});
