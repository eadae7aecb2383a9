import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { invalidInput } from '../core/errors.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentTemplate, presentTemplatePreview } from '../presentation/template.js';
import type { Template } from '../templates/templates.js';
import { audit } from './audit.js';
import { EXIT } from './exit.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { endWith } from './surroundings.js';
import type { Column } from './table.js';
import { filesOfTemplates, type TemplateFiles } from './template-files.js';
import { amount, harmless, levelMark, relative, say, sayAside, sayJson, table } from './terminal.js';

export function templatesCommand(): Command {
  const templates = new Command('templates').description('what notifications say');
  for (const command of [pushCommand(), previewCommand(), listCommand()]) templates.addCommand(command);
  return templates;
}

interface PushFlags extends CommonOptions {
  readonly fallback?: string;
}

const pushCommand = (): Command =>
  withCommon(new Command('push'))
    .description('save templates from files: ID.VERSION.LOCALE.subject, .html, .txt and .mjml')
    .argument('<path...>', 'files, or folders of them')
    .option('--fallback <locale>', 'what readers of other locales get')
    .addHelpText(
      'after',
      `
A text is the files of one name: open-seat.v1.fr.subject with open-seat.v1.fr.html, .txt, or both; .mjml instead of
.html if the package mjml is installed. What is the same already is left alone; what mail has left with never changes.`,
    )
    .action((paths: readonly string[], flags: PushFlags) => withBox(flags, (box) => push(box, paths, flags)));

async function push(box: Pillarbox, paths: readonly string[], { fallback, json }: PushFlags): Promise<void> {
  const found = filesOfTemplates((await Promise.all(paths.map(filesAt))).flat());
  const saved: Template[] = [];
  for (const files of found) saved.push(await pushOne(box, files, fallback));
  if (json) {
    sayJson({ items: saved.map(presentTemplate), nextCursor: null });
    return;
  }
  for (const { id, version, locale } of saved) sayAside(`${id} ${version} ${locale}`);
  say(levelMark('fine', `${amount(saved.length, 'text')} saved.`));
}

async function pushOne(
  box: Pillarbox,
  { id, version, locale, parts }: TemplateFiles,
  fallbackLocale: string | undefined,
): Promise<Template> {
  const read = async (part: keyof typeof parts) => {
    const file = parts[part];
    return file === undefined ? undefined : (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  };
  const [subject = '', html, text, mjml] = [
    await read('subject'),
    await read('html'),
    await read('txt'),
    await read('mjml'),
  ];
  const bodies = {
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(mjml !== undefined && { mjml }),
  };
  try {
    const saved = await box.templates.save({
      ...{ id, version, locale, subject: subject.trim(), ...bodies },
      ...(fallbackLocale !== undefined && { fallbackLocale }),
    });
    await audit(box.store, { workspaceId: box.home.id, action: 'templates.push', target: id });
    return saved;
  } catch (error) {
    // Which of many files it was.
    if (error instanceof Error) error.message = `${id}.${version}.${locale}: ${error.message}`;
    throw error;
  }
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    throw invalidInput('path', `${path} cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
}

interface PreviewFlags extends CommonOptions {
  readonly locale: string;
  readonly payload?: string;
  readonly event?: string;
  readonly html?: boolean;
}

const previewCommand = (): Command =>
  withCommon(new Command('preview'))
    .description('show a template as a reader would get it')
    .argument('<id>', 'the template')
    .argument('[version]', 'default: the newest')
    .option('--locale <locale>', 'the reader’s', 'en')
    .option('--payload <file>', 'a JSON file with the payload of an event; default: values that are made up')
    .option('--event <id>', 'an event that was published')
    .option('--html', 'print the html instead of the text')
    .addHelpText('after', '\nExit 3: there would be no mail; the reasons are told.')
    .action((id: string, version: string | undefined, flags: PreviewFlags) =>
      withBox(flags, (box) => preview(box, id, version, flags)),
    );

async function preview(
  box: Pillarbox,
  id: string,
  version: string | undefined,
  { locale, payload: file, event, html, json }: PreviewFlags,
): Promise<void> {
  const payload = file === undefined ? undefined : await readPayload(file);
  const made = await box.templates.preview({
    ...{ id, locale, ...(version !== undefined && { version }) },
    ...(payload !== undefined && { payload }),
    ...(event !== undefined && { eventId: event }),
  });
  if (made.faults.length > 0) endWith(EXIT.violations);
  if (json) {
    sayJson(presentTemplatePreview(made));
    return;
  }
  for (const { code, message } of made.faults) say(levelMark('act', harmless(`${code}: ${message}`)));
  if (made.subject === null) return;
  say(`Subject: ${harmless(made.subject)}`);
  say('');
  const body = html === true ? made.html : made.text;
  for (const line of (body ?? '').split('\n')) say(harmless(line));
}

async function readPayload(file: string): Promise<Record<string, unknown>> {
  const name = basename(file);
  let payload: unknown;
  try {
    payload = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw invalidInput('payload', `${name} cannot be read as JSON`);
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw invalidInput('payload', `${name} holds no object`);
  return payload as Record<string, unknown>;
}

interface ListFlags extends CommonOptions {
  readonly limit: number;
  readonly cursor?: string;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list templates, newest version first')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, limit, cursor, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { items, nextCursor } = await box.templates.list({ limit, cursor });
        if (json) {
          sayJson({ items: items.map(presentTemplate), nextCursor });
          return;
        }
        say(table(items, columns(await box.now())));
        say(
          `${amount(items.length, 'text')} shown.${nextCursor === null ? '' : ` More: --cursor ${nextCursor}`}`,
        );
      }),
    );

const columns = (now: number): Column<Template>[] => [
  { title: 'ID', text: ({ id }) => harmless(id) },
  { title: 'VERSION', text: ({ version }) => harmless(version) },
  { title: 'LOCALE', text: ({ locale }) => locale },
  { title: 'FALLS BACK TO', text: ({ fallbackLocale }) => fallbackLocale ?? '' },
  { title: 'SUBJECT', text: ({ subject }) => harmless(subject), gives: { order: 1, least: 10 } },
  { title: 'USED', text: ({ isUsed }) => (isUsed ? 'yes' : '') },
  { title: 'CHANGED', text: ({ updatedAt }) => relative(updatedAt, now) },
];
