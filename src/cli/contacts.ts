import { createReadStream } from 'node:fs';
import { access, constants, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import type { ContactView } from '../contacts/contacts.js';
import { ENCODINGS, type Encoding } from '../contacts/decode.js';
import type { Separator } from '../core/csv.js';
import { invalidInput } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentContact } from '../presentation/contact.js';
import { audit } from './audit.js';
import { parseLimit } from './limit.js';
import { Progress } from './progress.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, relative, say, sayAside, sayJson, table } from './terminal.js';

const SHOWN_LINES = 10;

export function contactsCommand(): Command {
  const contacts = new Command('contacts').description('look at people to write to, and import them');
  contacts.addCommand(importCommand());
  contacts.addCommand(listCommand());
  return contacts;
}

interface ImportFlags extends CommonOptions {
  readonly map: readonly string[];
  readonly campaign?: string;
  readonly separator?: keyof typeof SEPARATORS;
  readonly encoding?: Encoding;
  readonly rejected?: string;
}

/** A tab and a semicolon are hard to type in a shell. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const satisfies Record<
  string,
  Separator
>;

const importCommand = (): Command =>
  withCommon(new Command('import'))
    .description('import a CSV file; known addresses are updated, bad lines are left out and told')
    .argument('<file>', 'the file, or - for standard input')
    .option(
      '--map <column=field>',
      'what a column becomes: email, name, linkedinId, timezone, an attribute, or nothing; may be given several times',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--campaign <id>', 'put whoever is in the file at the end of the line of this campaign')
    .addOption(
      new Option(
        '--separator <name>',
        'what stands between cells; else what the first line has most of',
      ).choices(Object.keys(SEPARATORS)),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'how the file is encoded; else UTF-8, or UTF-16 by its byte order mark',
      ).choices(ENCODINGS),
    )
    .option('--rejected <file>', 'write the lines that were left out to this file, with the reason')
    .addHelpText(
      'after',
      `
The first line names the columns: email, name, linkedinId and timezone in any case, all others become attributes.
Whoever unsubscribed or is suppressed stays so. Exit 2: the file can't be read as it is, and nothing was imported.`,
    )
    .action((file: string, flags: ImportFlags) =>
      withBox(flags, (box) => importFile(box, file, flags), withSecrets),
    );

async function importFile(
  box: Pillarbox,
  file: string,
  { map, rejected: path, json, campaign: campaignId, separator, encoding }: ImportFlags,
): Promise<void> {
  const mapping = Object.fromEntries(map.map(readColumn));
  if (file !== '-') await refuseUnreadable(file);
  const source = file === '-' ? surroundings().stdin : createReadStream(file);
  let progress: Progress | undefined;
  const report = await box.contacts.import(source, {
    ...(file !== '-' && { fileName: basename(file) }),
    ...{ mapping, campaignId, encoding },
    separator: separator && SEPARATORS[separator],
    onProgress: ({ done, lines }) => {
      progress ??= new Progress('importing', lines);
      progress.at(done);
    },
  });
  progress?.end();
  await audit(box.store, { workspaceId: box.home.id, action: 'contacts.import', target: report.id });
  if (path !== undefined) await writeFile(path, box.contacts.imports.rejectedCsv(report.id));
  if (json) {
    sayJson(report);
    return;
  }
  const { imported, updated, rejected, rejectedTotal, enrolled, notEnrolled } = report;
  const figures = [imported, updated, rejectedTotal].map((n) => n.toLocaleString('en-US'));
  say(
    levelMark(
      rejectedTotal > 0 ? 'look' : 'fine',
      `Imported ${String(figures[0])}, updated ${String(figures[1])}, left out ${String(figures[2])}.`,
    ),
  );
  if (campaignId !== undefined)
    say(
      `Put ${enrolled.toLocaleString('en-US')} into the campaign${notEnrolled > 0 ? `, and ${notEnrolled.toLocaleString('en-US')} not: it was stopped` : ''}.`,
    );
  for (const { line, reason } of rejected.slice(0, SHOWN_LINES))
    sayAside(harmless(`line ${line.toLocaleString('en-US')}: ${reason}`));
  if (rejectedTotal > SHOWN_LINES && path === undefined)
    sayAside(`and ${amount(rejectedTotal - SHOWN_LINES, 'more line')}; --rejected FILE writes all of them`);
}

/** `E-Mail=email`; `notes=` stays in the file. */
function readColumn(text: string): [string, string | null] {
  const at = text.lastIndexOf('=');
  if (at < 1)
    throw invalidInput('map', `${text.slice(0, 100)} should be like E-Mail=email, or notes= for nothing`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}

async function refuseUnreadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
    if (!(await stat(file)).isDirectory()) return;
  } catch (error) {
    throw invalidInput('file', `${file} cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
  throw invalidInput('file', `${file} is a directory`);
}

interface ListFlags extends CommonOptions {
  readonly q?: string;
  readonly import?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list contacts, newest first')
    .option('--q <text>', 'only those whose address, name or house begins so')
    .option('--import <id>', 'only those that this import named')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, q, import: importId, limit, cursor, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { items, nextCursor } = await box.contacts.list({ q, importId, limit, cursor });
        if (json) {
          sayJson({ items: items.map(presentContact), nextCursor });
          return;
        }
        if (items.length === 0 && nextCursor === null) {
          say(
            q === undefined && importId === undefined
              ? 'No contact yet. Import some: pillarbox contacts import FILE'
              : 'No such contact.',
          );
          return;
        }
        if (items.length > 0) say(table(items, columns(await box.now())));
        say(
          `${amount(items.length, 'contact')} shown.${nextCursor === null ? '' : ` More: --cursor ${nextCursor}`}`,
        );
      }),
    );

const columns = (now: number): Column<ContactView>[] => [
  {
    title: 'ADDRESS',
    text: ({ email, emailGiven, linkedinId }) => harmless(emailGiven ?? email ?? linkedinId ?? ''),
    gives: { order: 3, least: 12 },
  },
  { title: 'NAME', text: ({ name }) => harmless(name ?? ''), gives: { order: 2, least: 8 } },
  { title: 'ZONE', text: ({ timezone }) => timezone ?? '', gives: { order: 1, least: 0 } },
  { title: 'NOT WRITTEN TO', text: ({ suppression }) => suppression?.reason ?? '' },
  { title: 'SINCE', text: ({ createdAt }) => relative(createdAt, now) },
  { title: 'ID', text: ({ id }) => id },
];
