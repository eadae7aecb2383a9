import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { invalidInput } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { EventView } from '../notifications/events.js';
import type { EventInput } from '../notifications/input.js';
import { presentEvent, presentEventDetail } from '../presentation/event.js';
import { audit, COMMAND_LINE } from './audit.js';
import { parseLimit } from './limit.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { surroundings } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, relative, say, sayJson, table } from './terminal.js';

export function eventsCommand(): Command {
  const events = new Command('events').description('say what happened, and see who was told');
  for (const command of [publishCommand(), showCommand(), listCommand(), cancelCommand()])
    events.addCommand(command);
  return events;
}

const publishCommand = (): Command =>
  withCommon(new Command('publish'))
    .description('publish an event: all active subscriptions of its topic are told')
    .argument('<file>', 'JSON: { type, topic, template: { id }, payload, … }; - for standard input')
    .action((file: string, { json, ...flags }: CommonOptions) =>
      withBox(
        flags,
        async (box) => {
          const result = await box.events.publish(await readEvent(file), {}, COMMAND_LINE);
          if (json) {
            sayJson({ id: result.eventId, ...result });
            return;
          }
          say(
            'duplicate' in result
              ? levelMark('fine', `The same key within 3 minutes: ${result.eventId}. Nobody is told twice.`)
              : levelMark('fine', `${result.eventId}: ${amount(result.matched, 'subscription')} to be told.`),
          );
        },
        withSecrets,
      ),
    );

async function readEvent(file: string): Promise<EventInput> {
  try {
    const text = file === '-' ? await all(surroundings().stdin) : await readFile(file, 'utf8');
    return JSON.parse(text) as EventInput;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw invalidInput('file', code === undefined ? `is not JSON: ${message}` : `cannot be read (${code})`);
  }
}

async function all(source: AsyncIterable<string | Uint8Array>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}

const showCommand = (): Command =>
  withCommon(new Command('show'))
    .description('show one event: who was told, who not, and why')
    .argument('<id>', 'evt_…')
    .action((id: string, { json, ...flags }: CommonOptions) =>
      withBox(flags, async (box) => {
        tell(await box.events.get(id), json);
      }),
    );

const cancelCommand = (): Command =>
  withCommon(new Command('cancel'))
    .description('tell nobody more of it, also while it is being told')
    .argument('<id>', 'evt_…')
    .action((id: string, { json, ...flags }: CommonOptions) =>
      withBox(flags, async (box) => {
        const view = await box.events.cancel(id, COMMAND_LINE);
        await audit(box.store, { workspaceId: box.home.id, action: 'events.cancel', target: id });
        tell(view, json);
      }),
    );

function tell(view: EventView, json: boolean | undefined): void {
  if (json) {
    sayJson(presentEventDetail(view));
    return;
  }
  const { event, plate, reasons } = view;
  say(levelMark(plate.level, plate.sentence));
  say(harmless(`${formatId('event', event.id)}  ${event.type}  ${event.topic}  ${event.template_id}`));
  for (const { state, reason, count, sentence } of reasons) {
    // Of what went wrong its code, too, by which it is found elsewhere.
    const code = state === 'dead' || state === 'retry_scheduled' ? `, ${reason}` : '';
    say(harmless(`${count}  ${state}${code}: ${sentence}`));
  }
}

interface ListFlags extends CommonOptions {
  readonly topic?: string;
  readonly type?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list events, newest first')
    .option('--topic <topic>', 'only of this topic')
    .option('--type <type>', 'only of this type')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, topic, type, limit, cursor, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { items, nextCursor } = await box.events.list({ topic, type, limit, cursor });
        if (json) {
          sayJson({ items: items.map(presentEvent), nextCursor });
          return;
        }
        if (items.length === 0) {
          say('No event yet. Publish one: pillarbox events publish FILE');
          return;
        }
        say(table(items, columns(await box.now())));
        say(
          `${amount(items.length, 'event')} shown.${nextCursor === null ? '' : ` More: --cursor ${nextCursor}`}`,
        );
      }),
    );

const columns = (now: number): Column<EventView>[] => [
  { title: 'TYPE', text: ({ event }) => harmless(event.type), gives: { order: 2, least: 8 } },
  { title: 'TOPIC', text: ({ event }) => harmless(event.topic), gives: { order: 3, least: 8 } },
  { title: 'HOW IT WENT', text: ({ plate }) => harmless(plate.sentence), gives: { order: 1, least: 12 } },
  { title: 'WHEN', text: ({ event }) => relative(event.created_at, now) },
  { title: 'ID', text: ({ event }) => formatId('event', event.id) },
];
