import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { refuse } from '../engine/triggers.js';
import { axeViolationsInBothThemes } from './axe.js';
import { aDraft, aSender, aSequence, somePeople } from './campaigns.js';
import { place, rowOf, toast } from './seen.js';
import { useStage } from './stage.js';
import { SERVER_AWAY } from './watch.js';
import { phone } from './widths.js';

const stage = useStage();

const FILE = [
  'E-Mail;full_name;Company;tz;notes',
  'anna.lind@fjordhus.example;Anna Lind;Fjordhus;Europe/Oslo;met at the fair',
  'marta@casacosta.example;Marta Costa;;Europe/Lisbon;',
  'nobody;Nobody;Nowhere;;',
  'tz@example.org;Wrong zone;Nowhere;CET+1;',
  '',
].join('\n');

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const plate = (page: Page, words: string | RegExp) => page.getByRole('heading', { level: 2, name: words });

test('a file becomes contacts, a sequence is written for them, and a test of it arrives', async () => {
  const { page } = await stage().visit('/contacts');
  await page.getByText('No contact yet. Drop a CSV here, or choose one.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Import CSV' }).first().click();
  await choose(page, 'guests.csv', FILE);

  await plate(page, /Say what its columns become/).waitFor();
  const becomes = (column: string) => page.getByLabel(`What ${column} becomes`, { exact: true });
  expect(await becomes('E-Mail').inputValue()).toBe('email');
  expect(await becomes('tz').inputValue()).toBe('timezone');
  // Two that become the same can not begin.
  await becomes('notes').selectOption('email');
  await page.getByText('Choose what E-Mail becomes.').waitFor();
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await becomes('notes').selectOption('nothing');
  await page.getByLabel('Name of the attribute that Company becomes').fill('company');
  // It lies on the server: the page may be left and found again.
  await page.reload();
  await becomes('notes').selectOption('nothing');
  await page.getByLabel('Name of the attribute that Company becomes').fill('company');
  await page.getByRole('button', { name: 'Import 4 lines' }).click();

  await plate(page, 'Imported 2, updated 0, left out 2.').waitFor();
  const its = page.getByRole('region', { name: 'Its contacts' });
  await its.getByRole('columnheader', { name: 'What the import did' }).waitFor();
  expect(
    await its
      .getByRole('row', { name: /Marta Costa/ })
      .getByText('new', { exact: true })
      .count(),
  ).toBe(1);
  const left = page.getByRole('region', { name: 'Left out' });
  await left.getByText('nobody, Nobody, Nowhere').waitFor();
  await left.getByRole('link', { name: '1 time zone' }).click();
  await left.getByText('nobody, Nobody').waitFor({ state: 'detached' });
  await left
    .getByText(/CET\+1/)
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    left.getByRole('link', { name: '2 lines as CSV' }).click(),
  ]);
  const saved = await download.createReadStream();
  const csv = (await saved.toArray()).join('');
  expect(csv.split('\r\n')[0]).toBe('E-Mail,full_name,Company,tz,notes,reason');
  expect(csv).toContain('nobody,Nobody,Nowhere');

  await page.getByRole('link', { name: 'Show its contacts' }).click();
  await rowOf(page, 'Marta Costa').waitFor();
  await page.getByRole('searchbox', { name: 'Name, address or LinkedIn id' }).fill('fjord');
  await rowOf(page, 'Marta Costa').waitFor({ state: 'detached' });
  await rowOf(page, 'Anna Lind').getByText('Fjordhus', { exact: true }).waitFor();

  await place(page, 'Sequences').click();
  await page.getByRole('main').getByRole('button', { name: 'New sequence' }).last().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Autumn hosts');
  await page.getByRole('button', { name: 'Make it' }).click();
  await plate(page, 'One step: 1 mail.').waitFor();

  // A fault is marked while it is typed, and keeps it from being saved.
  const body = page.getByRole('textbox', { name: 'Text or HTML' });
  await body.fill('<p>Dear {{ contact.name | upcas }}</p>');
  await plate(page, 'Step 1 has a fault: every mail of it would die. Mend it to save.').waitFor();
  await page.getByText('there is no filter “upcas”', { exact: true }).waitFor();
  const bar = page.getByRole('region', { name: 'Changes that are not saved' });
  await bar.getByText(/cannot be saved yet/).waitFor();
  expect(await bar.getByRole('button', { name: /^Save/ }).count()).toBe(0);

  // Variables are offered as they are typed, with how many people have them.
  await body.fill('<p>Dear {{ contact.name | upcase }}, how is ');
  await body.press('End');
  await body.pressSequentially('{{ comp');
  const offer = page.getByRole('option', { name: /contact\.attributes\.company/ });
  await offer.getByText('1 of 2').waitFor();
  await body.press('Enter');
  await body.pressSequentially('?</p>');
  expect(await body.inputValue()).toBe(
    '<p>Dear {{ contact.name | upcase }}, how is {{ contact.attributes.company }}?</p>',
  );
  await plate(page, /1 of 2 people have no contact\.attributes\.company/).waitFor();
  const frame = page.frameLocator('iframe');
  const person = page.getByLabel('As this person would get it');
  await person.selectOption({ label: 'Anna Lind, Fjordhus' });
  await frame.getByText('Dear ANNA LIND, how is Fjordhus?').waitFor();
  // For whom it can not be shown the reason is told, and a press gives a default.
  await person.selectOption({ label: 'Marta Costa' });
  await page.getByText(/contact\.attributes\.company is not known of this recipient/).waitFor();
  // People are walked through, and those alone who lack something.
  await page.getByText('Person 1 of 2', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Previous person' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Next person' }).click();
  await page.getByText('Person 2 of 2', { exact: true }).waitFor();
  await frame.getByText('Dear ANNA LIND, how is Fjordhus?').waitFor();
  await page.getByRole('button', { name: '1 who lacks something' }).click();
  await page.getByText('Person 1 of 1 who lacks something', { exact: true }).waitFor();
  expect(await person.locator('option').allInnerTexts()).toEqual(['Marta Costa']);
  await page.getByText(/contact\.attributes\.company is not known of this recipient/).waitFor();
  await page.getByRole('button', { name: /^Write contact\.attributes\.company \| default/ }).click();
  await frame.getByText('Dear MARTA COSTA, how is …?').waitFor();
  await page.getByText('Lacks nothing', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await page.getByText('Person 1 of 2', { exact: true }).waitFor();
  await plate(page, 'One step: 1 mail.').waitFor();
  await page.keyboard.press('Control+s');
  await toast(page, /Saved as version 2/).waitFor();
  await bar.waitFor({ state: 'detached' });

  const form = page.getByRole('form', { name: 'Test send' });
  await form.getByLabel('Test send to').fill('me@example.org');
  await form.getByRole('button', { name: 'Send test' }).click();
  await form.getByText('The test to me@example.org leaves at once').waitFor();
  await form.getByRole('link', { name: 'Dev inbox' }).click();
  await page.getByText('me@example.org').first().waitFor();
});

test('steps are moved, written and saved with keys alone; who leaves is asked, and old versions come back', async () => {
  const step = (order: number, body: string) => ({ order, delayDays: order - 1, subject: body, body });
  const { id } = await stage().call('POST', '/api/sequences', {
    ...{ name: 'Moved by keys', steps: [step(1, 'First'), step(2, 'Second'), step(3, 'Third')] },
  });
  const { page } = await stage().visit('/sequences');
  const { keyboard } = page;
  await rowOf(page, 'Moved by keys').waitFor();
  await keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
  await keyboard.type('moved by');
  await page.getByRole('option', { name: /Moved by keys/, selected: true }).waitFor();
  await keyboard.press('Enter');
  await page.waitForURL(`**/sequences/${String(id)}`);
  const steps = page.getByRole('region', { name: 'Steps' }).getByRole('listitem');
  await plate(page, 'Three steps over 3 days: 3 mails.').waitFor();

  await keyboard.press('j');
  await page.waitForURL('**?step=2');
  await keyboard.press('Alt+ArrowDown');
  await expect
    .poll(() => steps.allInnerTexts())
    .toEqual([
      expect.stringContaining('First'),
      expect.stringContaining('Third'),
      expect.stringContaining('Second'),
    ]);
  await page.waitForURL('**?step=3');
  await keyboard.press('Alt+ArrowUp');
  await keyboard.press('Alt+ArrowUp');
  await expect.poll(() => steps.first().innerText()).toContain('Second');
  await page.waitForURL('**?step=1');
  // By its handle as well.
  await page.locator('[data-handle="1"]').dragTo(steps.nth(2));
  await expect.poll(() => steps.last().innerText()).toContain('Second');
  await page.locator('[data-handle="3"]').dragTo(steps.first());
  await expect.poll(() => steps.first().innerText()).toContain('Second');
  await page.waitForURL('**?step=1');
  // Beyond the end there is nowhere to go.
  await keyboard.press('Alt+ArrowUp');
  // Typed in another step, the fault is found by its key.
  await page.getByRole('textbox', { name: 'Subject' }).fill('{{ nothing }}');
  await plate(page, /^Step 1 has a fault/).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await keyboard.press('j');
  await page.waitForURL('**?step=2');
  await keyboard.press('F8');
  await page.waitForURL('**?step=1');
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('{{ nothing }}');
  await keyboard.press('Control+a');
  await keyboard.type('Second, mended');
  await plate(page, 'Three steps over 2 days: 3 mails.').waitFor();

  await place(page, 'Contacts').click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  await keyboard.press('Control+s');
  await toast(page, /Saved as version 2/).waitFor();
  const saved = await stage().call('GET', `/api/sequences/${String(id)}`);
  expect((saved['steps'] as { subject: string }[]).map(({ subject }) => subject)).toEqual([
    ...['Second, mended', 'First', 'Third'],
  ]);

  // Somebody else was faster: nothing of his is written over.
  await page.getByRole('textbox', { name: 'Subject' }).fill('Mine');
  await stage().call('PUT', `/api/sequences/${String(id)}`, {
    name: 'Moved by keys',
    steps: [step(1, 'Theirs')],
  });
  await page.getByRole('button', { name: 'Save version 3' }).click();
  await page.getByText('Somebody has saved version 3 meanwhile; look at it first.').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Bring version 1 back' }).click();
  await expect.poll(() => steps.count()).toBe(3);
  await page.getByRole('button', { name: 'Save version 4' }).click();
  await toast(page, /Saved as version 4/).waitFor();
});

test('a file tells who is known and who uses its columns before it is imported, and its people go into a campaign', async () => {
  const steps = [
    { order: 1, delayDays: 0, subject: 'Rooms', body: 'To {{ contact.attributes.rooms }} rooms' },
  ];
  const { id: sequence } = await stage().call('POST', '/api/sequences', { name: 'To houses', steps });
  await stage().call('POST', '/api/contacts', { email: 'known@first.example' });
  await stage().call('POST', '/api/suppressions', { email: 'gone@first.example', reason: 'unsubscribed' });
  const [account] = (await stage().call('GET', '/api/accounts'))['items'] as { id: string }[];
  const { id: campaign } = await stage().call('POST', '/api/campaigns', {
    ...{ name: 'First frost', accountIds: [account!.id], sequenceId: sequence },
  });
  const uploaded = await stage().upload(
    'houses.csv',
    [
      'E-Mail;Rooms',
      'known@first.example;4',
      'gone@first.example;2',
      'new@first.example;1',
      'nobody;',
      '',
    ].join('\n'),
  );
  const { page } = await stage().visit(`/contacts/import/${uploaded}`);
  await page.getByText(/2 columns\. 1 was recognised by name\./).waitFor();
  const known = page.getByRole('region', { name: 'What is known already' });
  await known.getByText('1 is known and would be updated').waitFor();
  await known.getByText('1 is suppressed or unsubscribed: they would stay so').waitFor();
  await known.getByText('1 of 4 lines would be left out').waitFor();
  const columns = page.getByRole('region', { name: 'Columns' });
  await columns.getByText('1 is known: updated · 1 line would be left out').waitFor();
  await columns.getByText('no sequence says it').waitFor();
  // Names of attributes are what templates say: in other letters they are others.
  await page.getByLabel('Name of the attribute that Rooms becomes').fill('rooms');
  expect(await columns.getByRole('link', { name: 'To houses' }).getAttribute('href')).toBe(
    `/sequences/${String(sequence)}`,
  );
  expect(await page.getByRole('region', { name: 'How' }).getByLabel('Separator').inputValue()).toBe(';');
  await page.getByLabel('Then enrol in').selectOption({ label: 'First frost' });
  await page.getByText('It is a draft: nothing leaves before it is launched.').first().waitFor();
  await page.getByRole('button', { name: 'Import 4 lines and enrol them' }).click();
  await plate(page, 'Imported 2, updated 1, left out 1. 3 people were put into First frost.').waitFor();
  await page.getByRole('region', { name: 'Its contacts' }).getByText('new@first.example').first().waitFor();
  await page.getByRole('region', { name: 'Progress' }).getByRole('link', { name: '3', exact: true }).click();
  await page.waitForURL(`**/campaigns/${String(campaign)}/people`);
  await page.getByRole('row', { name: /known@first\.example/ }).waitFor();

  // Who may only look is not asked.
  const other = await stage().upload('more.csv', 'email\nmore@first.example\n');
  const { page: own } = await stage().visit(`/contacts/import/${other}`, {
    as: await stage().person('viewer', 'vera'),
  });
  await own.getByRole('region', { name: 'How' }).getByText('Comma').waitFor();
  expect(await own.getByLabel('Then enrol in').count()).toBe(0);
});

const LINES = 24_000;

/** Longer than most: whoever finds an import standing still waits some seconds whether somebody else is at it. */
test('an import goes on after the server was away in the middle of it, and nobody is in twice', async () => {
  const file = Array.from({ length: LINES }, (_, n) => `guest${n}@restart.example,Guest ${n}`).join('\n');
  const { page, watch } = await stage().visit('/contacts/import');
  await page.getByRole('button', { name: 'Choose a CSV file' }).waitFor();
  await choose(page, 'many.csv', `email,name\n${file}\nbroken,Broken\n`);
  await page.getByRole('button', { name: 'Import 24,001 lines' }).click();
  await page.getByRole('region', { name: 'Progress' }).waitFor();
  watch.allow(SERVER_AWAY);
  await stage().stop();
  await stage().start();
  await plate(page, 'Imported 24,000, updated 0, left out 1.').waitFor();
  await page.getByRole('link', { name: 'Show its contacts' }).click();
  await page.getByRole('searchbox', { name: 'Name, address or LinkedIn id' }).fill('guest23999@');
  await rowOf(page, 'Guest 23999').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
});

/** Longer than most: whoever finds an import standing still waits some seconds whether somebody else is at it. */
test('contacts are shown as they come in, and wait while somebody points at one', async () => {
  const people = Array.from({ length: 5_000 }, (_, n) => `come${n}@live.example,Come ${n}`).join('\n');
  const id = await stage().upload('coming.csv', `email,name\n${people}\n`);
  // Its first piece comes in, and the others wait for the database.
  const admit = await refuse(
    { databaseUrl: stage().databaseUrl },
    { table: 'imports', on: 'update', when: "new.next_piece > 1 or new.state = 'stopped'" },
  );
  const { page } = await stage().visit(`/contacts/import/${id}`);
  await page.getByRole('button', { name: 'Import 5,000 lines' }).click();
  await plate(page, /^2,000 of 5,000 lines are in/).waitFor();
  const its = page.getByRole('region', { name: 'Its contacts' });
  await rowOf(page, 'Come 1999').getByText('new', { exact: true }).waitFor();
  const { page: list } = await stage().visit(`/contacts?importId=${id}`);
  await rowOf(list, 'Come 1999').getByRole('checkbox').check();
  await rowOf(page, 'Come 1999').hover();
  await admit();

  await plate(page, /^Imported 5,000, updated 0, left out 0\./).waitFor();
  await its.getByRole('button', { name: '3,000 new' }).waitFor();
  await list.getByRole('button', { name: '3,000 new' }).waitFor();
  for (const each of [page, list]) {
    expect(await rowOf(each, 'Come 1999').count()).toBe(1);
    expect(await rowOf(each, 'Come 4999').count()).toBe(0);
    await each.getByRole('button', { name: '3,000 new' }).click();
    await rowOf(each, 'Come 4999').waitFor();
    await expect.poll(() => each.getByRole('button', { name: /new$/ }).count()).toBe(0);
  }
});

test('a file that was read in the wrong way is read in another one, and nobody chooses it again while the page has it', async () => {
  const { page, watch } = await stage().visit('/contacts/import');
  await page.getByRole('button', { name: 'Choose a CSV file' }).waitFor();
  watch.allow(/^console: .* status of 400 /);
  const file = ['email,old,older;name', 'muell@read.example,a,b;M\xfcller', ''].join('\r\n');
  const latin = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(file, 'latin1') };
  await page.getByLabel('CSV file').setInputFiles(latin);
  const refused = page.getByRole('region', { name: 'old.csv was not taken' });
  await refused.getByText(/line 2 is not UTF-8/).waitFor();
  expect(await axeViolationsInBothThemes(page)).toEqual([]);
  await refused.getByLabel('Encoding').selectOption({ label: 'Windows-1252 (Western)' });
  await refused.getByRole('button', { name: 'Send it again' }).click();
  await page.waitForURL('**/contacts/import/imp_*');
  const columns = page.getByRole('region', { name: 'Columns' });
  await columns.getByText('b;Müller').waitFor();
  const first = page.url();

  const how = page.getByRole('region', { name: 'How' });
  await how.getByLabel('Separator').selectOption({ label: 'Semicolon' });
  await columns.getByText('Müller', { exact: true }).waitFor();
  const second = page.url();
  expect(second).not.toBe(first);
  expect(await how.getByLabel('Encoding').inputValue()).toBe('windows-1252');
  // What was read wrongly is gone, and nobody gets to it by going back.
  const pathOf = (url: string) => `/api/contacts/imports/${url.split('/').at(-1)}`;
  await expect(stage().call('GET', pathOf(first))).rejects.toThrow(/404/);
  await page.goBack();
  await page.getByRole('button', { name: 'Choose a CSV file' }).waitFor();
  await page.goForward();
  await columns.getByText('Müller', { exact: true }).waitFor();

  // A page that was loaded anew has no file: it says so, and asks for it.
  await page.reload();
  await how.getByLabel('Separator').selectOption({ label: 'Comma' });
  await how.getByText(/does not have the file any more/).waitFor();
  await page.getByLabel('CSV file').setInputFiles(latin);
  await columns.getByText('b;Müller').waitFor();
  await page.getByRole('button', { name: 'Import 1 line' }).waitFor();
});

test('on a phone somebody is looked at, changed and deleted, and it is said what that ends', async () => {
  const { id } = await stage().call('POST', '/api/contacts', {
    email: 'dora@example.org',
    name: 'Dora Vale',
  });
  const [account] = (await stage().call('GET', '/api/accounts'))['items'] as { id: string }[];
  const { id: campaign } = await stage().call('POST', '/api/campaigns', {
    ...{ name: 'Winter rates', accountIds: [account!.id] },
  });
  await stage().call('POST', `/api/campaigns/${String(campaign)}/prospects`, { contactIds: [id] });
  await stage().call('POST', '/api/suppressions', {
    ...{ email: 'dora@example.org', reason: 'unsubscribed', lanes: ['campaign'] },
  });
  const { page } = await stage().visit('/contacts?q=dora', phone(390, 844));
  await page.getByRole('link', { name: 'Dora Vale' }).tap();
  await plate(page, /We write to dora@example\.org not in campaign: unsubscribed/).waitFor();
  await page.getByRole('region', { name: 'Lane by lane' }).getByText('We would write.').first().waitFor();
  await page.getByRole('region', { name: 'Campaigns' }).getByText('Winter rates').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Dora Vale-Berg');
  await page.getByRole('button', { name: 'Add attribute' }).tap();
  await page.getByLabel('Name of attribute 1').fill('company');
  await page.getByLabel('Value of attribute 1').fill('Vale');
  await page.getByRole('button', { name: 'Save' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Dora Vale-Berg' }).waitFor();
  expect(await stage().call('GET', `/api/contacts/${String(id)}`)).toMatchObject({
    ...{ name: 'Dora Vale-Berg', attributes: { company: 'Vale' } },
  });
  await page.getByRole('button', { name: 'Delete and end 1 sequence…' }).tap();
  const question = page.getByRole('dialog', { name: 'Delete Dora Vale-Berg and end 1 sequence?' });
  await question.getByRole('button', { name: 'Delete and end 1 sequence' }).tap();
  await toast(page, 'Deleted Dora Vale-Berg.').waitFor();
  await expect(stage().call('GET', `/api/contacts/${String(id)}`)).rejects.toThrow(/404/);
});

test('contacts are chosen with keys and added to a campaign that the command list finds', async () => {
  for (const name of ['Edda Chosen', 'Finn Chosen', 'Gro Chosen'])
    await stage().call('POST', '/api/contacts', { name, email: `${name.slice(0, 3)}@chosen.example` });
  const [account] = (await stage().call('GET', '/api/accounts'))['items'] as { id: string }[];
  const { id } = await stage().call('POST', '/api/campaigns', {
    ...{ name: 'Choose among these', accountIds: [account!.id] },
  });
  const { page } = await stage().visit('/contacts?q=chosen');
  await rowOf(page, 'Gro Chosen').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select the page' }).check();
  await page.getByRole('checkbox', { name: 'Select Finn Chosen' }).uncheck();
  await bar.getByRole('button', { name: 'Add 2 to a campaign…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add 2 people to a campaign' });
  await dialog.getByLabel('Campaign').selectOption({ label: 'Choose among these' });
  await dialog.getByText('It is a draft: nothing leaves before it is launched.').waitFor();
  await dialog.getByRole('button', { name: 'Add 2 people' }).click();
  await toast(page, 'Added 2 people to Choose among these.').waitFor();
  await bar.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('choose among');
  await page.getByRole('option', { name: /Choose among these/ }).click();
  await page.waitForURL(`**/campaigns/${String(id)}`);
  await plate(page, 'A draft. 2 people are in it; it has no sequence yet.').waitFor();

  // Who only looks chooses nobody.
  const { page: own } = await stage().visit('/contacts?q=chosen', { as: await stage().person('viewer') });
  await rowOf(own, 'Gro Chosen').waitFor();
  expect(await own.getByRole('checkbox').count()).toBe(0);
});

test('a paused campaign says until when it may be resumed, and a draft what it lacks', async () => {
  const parts = {
    sequenceId: await aSequence(stage(), 'Fasting', 1),
    accountIds: [await aSender(stage(), 'lent@')],
  };
  await aDraft(stage(), 'Easter', { ...parts, contactIds: [] });
  const id = await aDraft(stage(), 'Lent', { ...parts, contactIds: await somePeople(stage(), 6) });
  const startAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
  await stage().call('PATCH', `/api/campaigns/${id}`, { startAt });
  await stage().call('POST', `/api/campaigns/${id}/launch`);
  await stage().call('POST', `/api/campaigns/${id}/pause`, { reason: 'Carnival' });
  const { page } = await stage().visit('/campaigns');
  await page
    .getByRole('row', { name: /^Easter/ })
    .getByText('needs people')
    .waitFor();
  await page.getByRole('link', { name: 'Lent', exact: true }).click();
  await page.getByText(/^Resumed by .*, the end date holds: nothing leaves after .*\. Counted /).waitFor();
});
