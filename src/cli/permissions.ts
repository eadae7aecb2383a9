import { Command } from 'commander';
import type { Pillarbox } from '../pillarbox.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { harmless, levelMark, say, sayJson } from './terminal.js';

/** Who may send, and who may be written to: decisions that hold from the very next hand-over, on every machine. */
export const permissionCommands = (): Command[] => [
  decide('pause', 'stop the default account; its mail waits', '[reason]', async (box, reason) => {
    await box.pause(reason ?? 'paused by a person');
    return 'Paused. Its mail waits; go on with: pillarbox resume';
  }),
  decide('resume', 'let the default account send again', undefined, async (box) => {
    await box.resume();
    return 'Resumed. A cool-down that is still running is kept.';
  }),
  decide('suppress', 'write to an address no more', '<address>', async (box, address = '') => {
    await box.suppress(address);
    return `Nothing more goes to ${address}.`;
  }),
  decide('unsuppress', 'take an address off the suppression list', '<address>', async (box, address = '') =>
    (await box.unsuppress(address))
      ? `${address} may be written to again.`
      : `${address} was not suppressed.`,
  ),
];

function decide(
  name: string,
  description: string,
  argument: string | undefined,
  act: (box: Pillarbox, value: string | undefined) => Promise<string>,
): Command {
  const command = withCommon(new Command(name)).description(description);
  if (argument !== undefined) command.argument(argument);
  return command.action(async (...given: unknown[]) => {
    const value = argument === undefined ? undefined : (given[0] as string | undefined);
    const flags = given[argument === undefined ? 0 : 1] as CommonOptions;
    const done = await withBox(flags, (box) => act(box, value));
    if (flags.json) sayJson({ done });
    else say(levelMark('fine', harmless(done)));
  });
}
