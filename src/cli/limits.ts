import { Command } from 'commander';
import { presentCheck, type LimitsCheck } from '../presentation/limits.js';
import { audit } from './audit.js';
import { EXIT } from './exit.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { endWith } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, say, sayJson, table } from './terminal.js';

export function limitsCommand(): Command {
  const limits = new Command('limits').description('compare what is planned with what accounts may send');
  limits.addCommand(checkCommand());
  limits.addCommand(fixCommand());
  return limits;
}

type Violation = LimitsCheck['items'][number];

const COLUMNS: readonly Column<Violation>[] = [
  { title: 'ACCOUNT', text: ({ accountId }) => accountId },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'LIMIT', text: ({ limit }) => limit },
  { title: 'WHEN', text: ({ when }) => when },
  { title: 'PLANNED', text: ({ planned, max }) => `${String(planned)} of ${String(max)}` },
  { title: 'CAUSE', text: ({ cause }) => harmless(cause), gives: { order: 1, least: 0 } },
];

type Breach = LimitsCheck['left'][number];

const LEFT_COLUMNS: readonly Column<Breach>[] = [
  { title: 'ACCOUNT', text: ({ accountId }) => accountId },
  { title: 'ACTION', text: ({ action }) => action },
  { title: 'LIMIT', text: ({ limit }) => limit },
  { title: 'WHEN', text: ({ when }) => when },
  { title: 'LEFT', text: ({ sent, max }) => `${String(sent)} of ${String(max)}` },
];

const checkCommand = (): Command =>
  withCommon(new Command('check'))
    .description(
      'list what is planned against a limit, and what has left against one; exits with 3 if there is any',
    )
    .action(async (flags: CommonOptions) => {
      const check = await withBox(flags, async (box) =>
        presentCheck(await box.guard.check(), await box.guard.activity()),
      );
      if (flags.json) sayJson(check);
      else {
        say(levelMark(check.plate.level, check.plate.sentence));
        if (check.left.length > 0) say(table(check.left, LEFT_COLUMNS));
        if (check.items.length > 0) say(`${table(check.items, COLUMNS)}\nMove them: pillarbox limits fix`);
      }
      if (check.items.length + check.left.length > 0) endWith(EXIT.violations);
    });

const fixCommand = (): Command =>
  withCommon(new Command('fix'))
    .description('move what is planned against a limit to the first times that are free')
    .argument('[ids...]', 'only these violations; ids as check --json gives them')
    .action(async (ids: string[], flags: CommonOptions) => {
      const fixed = await withBox(flags, async (box) => {
        const done = await box.guard.fix(ids.length > 0 ? ids : undefined);
        await audit(box.store, { workspaceId: box.home.id, action: 'limits.fix', target: null });
        return done;
      });
      if (flags.json) sayJson(fixed);
      else {
        const left = fixed.left > 0 ? ` For ${amount(fixed.left, 'mail')} there is no room in sight.` : '';
        say(levelMark(fixed.left > 0 ? 'look' : 'fine', `Moved ${amount(fixed.moved, 'mail')}.${left}`));
      }
      if (fixed.left > 0) endWith(EXIT.violations);
    });
