import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from 'pillarbox';
import { STEPS } from './letters.js';

const {
  DATABASE_URL: databaseUrl = 'sqlite:./data/outreach.db',
  SMTP_URL: smtpUrl = 'smtp://127.0.0.1:2525',
  MAIL_FROM: from = 'Front desk <desk@example.org>',
  // A Monday morning; a day passes in a second.
  PILLARBOX_CLOCK: clock = '2026-11-16T07:00:00Z*86400',
} = process.env;
const [file = 'examples/outreach/guests.csv'] = process.argv.slice(2);
const tell = (line: string) => process.stdout.write(`${line}\n`);

const box = await createPillarbox({ databaseUrl, smtpUrl, from, clock, secret: 'the secret of an example' });
try {
  // Who: a file, in which a line may be wrong.
  const report = await box.contacts.import(createReadStream(file), { mapping: { 'E-Mail': 'email' } });
  tell(`${file}: ${report.imported} new, ${report.updated} known, ${report.rejectedTotal} left out`);
  for (const { line, reason } of report.rejected) tell(`  line ${line}: ${reason}`);
  const people: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await box.contacts.list({ importId: report.id, limit: 200, cursor });
    people.push(...page.items.map((person) => person.id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }

  // When: any day of the week, 9 to 18 o'clock where the desk is, five mails a day at most.
  await box.home.settings.changeSending({
    sendingDays: [1, 2, 3, 4, 5, 6, 7],
    timezone: 'Europe/Berlin',
    dailyQuota: 5,
  });

  // What, and from which accounts.
  const sequence = await box.sequences.create({ name: 'Rooms in autumn', steps: STEPS });
  const accounts = await box.home.accounts.list();
  const id = await box.campaigns.create({
    name: 'Autumn',
    sequenceId: sequence.id,
    accountIds: accounts.items.map((account) => account.id),
  });
  await box.campaigns.enrol(id, people);

  // Whether it would be kept, and the calendar, before one mail leaves.
  const simulation = await box.campaigns.simulate(id, { days: 30 });
  tell(`simulated: ${simulation.sent} leave, ${simulation.violations.length} violations`);
  const plan = await box.campaigns.plan(id);
  for (const { date, count } of plan.days) tell(`planned  ${date}  ${'#'.repeat(count)}  ${count}`);
  for (const { sentence } of plan.warnings) tell(`note: ${sentence}`);

  await box.campaigns.launch(id);
  await box.start();
  let shown = -1;
  for (;;) {
    const { status, sent, scheduled } = await box.campaigns.status(id);
    if (sent !== shown)
      tell(`${new Date(await box.now()).toISOString().slice(0, 16)}  ${sent} sent, ${scheduled} to come`);
    shown = sent;
    if (status === 'completed') break;
    await sleep(100);
  }
  const { days } = await box.campaigns.calendar(id);
  for (const { date, sent } of days) tell(`left     ${date}  ${'#'.repeat(sent)}  ${sent}`);
} finally {
  await box.stop();
}
