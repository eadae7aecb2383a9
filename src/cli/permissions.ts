import { Command } from 'commander';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentAccount } from '../presentation/account.js';
import { setStatus } from './accounts.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { addSuppression, removeSuppression } from './suppressions.js';
import { harmless, levelMark, say, sayJson } from './terminal.js';

/** Who may send, and who may be written to: decisions that hold from the very next hand-over, on every machine. */
export const permissionCommands = (): Command[] => [
  decide('pause', 'stop the default account; its mail waits', '[reason]', async (box, reason) => {
    const change = { status: 'paused', ...(reason !== undefined && { pauseReason: reason }) } as const;
    const data = presentAccount(await setStatus(box, DEFAULT_ACCOUNT, change));
    return { text: 'Paused. Its mail waits; go on with: pillarbox resume', data };
  }),
  decide('resume', 'let the default account send again', undefined, async (box) => {
    const data = presentAccount(await setStatus(box, DEFAULT_ACCOUNT, { status: 'active' }));
    return { text: 'Resumed. A cool-down that is still running is kept.', data };
  }),
  // Short for `suppressions add` and `suppressions rm`.
  decide('suppress', 'write to an address no more', '<address>', async (box, address = '') => {
    const { text } = await addSuppression(box, { email: address });
    return { text, data: { address } };
  }),
  decide('unsuppress', 'take an address off the suppression list', '<address>', async (box, address = '') => {
    const removed = await removeSuppression(box, address);
    const text = removed ? `${address} may be written to again.` : `${address} was not suppressed.`;
    return { text, data: { address, removed } };
  }),
];

const DEFAULT_ACCOUNT = 'default';

function decide(
  name: string,
  description: string,
  argument: string | undefined,
  act: (box: Pillarbox, value: string | undefined) => Promise<{ text: string; data: object }>,
): Command {
  const command = withCommon(new Command(name)).description(description);
  if (argument !== undefined) command.argument(argument);
  return command.action(async (...given: unknown[]) => {
    const value = argument === undefined ? undefined : (given[0] as string | undefined);
    const flags = given[argument === undefined ? 0 : 1] as CommonOptions;
    const { text, data } = await withBox(flags, (box) => act(box, value), withSecrets);
    if (flags.json) sayJson(data);
    else say(levelMark('fine', harmless(text)));
  });
}
