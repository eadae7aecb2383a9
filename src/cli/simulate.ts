import { Command } from 'commander';
import { invalidInput } from '../core/errors.js';
import type { DescriptionInput, Simulation } from '../core/simulation.js';
import { SIMULATED_DAYS } from '../core/simulation.js';
import { readConfig } from '../service/config.js';
import { presentSimulation } from '../presentation/simulation.js';
import { EXIT } from './exit.js';
import { Progress } from './progress.js';
import { withBox, withCommon, type CommonOptions } from './session.js';
import { sayChart } from './simulation-chart.js';
import { endWith, surroundings } from './surroundings.js';
import { sayJson } from './terminal.js';

const DESCRIBED = ['people', 'steps', 'accounts', 'quota'] as const;

interface Flags extends CommonOptions, Partial<Record<(typeof DESCRIBED)[number], number>> {
  readonly campaign?: string;
  readonly days: number;
  readonly delayDays?: number;
  readonly timezone?: string;
  readonly from?: string;
}

/** What is not a number is none of ours: the bounds say so, with the name of the option. */
const number = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : NaN);

export const simulateCommand = (): Command =>
  withCommon(new Command('simulate'))
    .description('run a campaign, or one that you describe, ahead of time; exits with 3 if it breaks a limit')
    .option('--campaign <id>', 'a copy of this campaign, as if it were launched or went on now')
    .option('--people <n>', 'of a described one: how many people', number)
    .option('--steps <n>', 'how many mails each gets', number)
    .option('--accounts <n>', 'from how many accounts', number)
    .option('--quota <n>', 'what each account may send on a day', number)
    .option('--delay-days <n>', 'days between two mails to a person (3)', number)
    .option('--timezone <name>', 'where Monday to Friday, 9 to 18 o’clock, is (UTC)')
    .option('--from <instant>', 'when it begins, such as 2026-11-16T08:00:00Z (now)')
    .option('--days <n>', 'how many days to look ahead', number, SIMULATED_DAYS)
    .addHelpText(
      'after',
      `
Planner, guard and engine are the real ones, on a database of their own in memory; nothing of a campaign is touched, and
a described one needs no database. What leaves is judged by what the far side saw.

  pillarbox simulate --campaign cmp_3k
  pillarbox simulate --people 10000 --steps 3 --accounts 5 --quota 150 --days 60`,
    )
    .action(async (flags: Flags) => {
      const progress = new Simulating();
      const simulation = await (
        flags.campaign === undefined
          ? described(flags, progress)
          : ofCampaign(flags.campaign, flags, progress)
      ).finally(() => progress.end());
      tellSimulation(simulation, flags);
    });

/** Whoever only looks at the exit code learns whether a limit was broken. */
export function tellSimulation(simulation: Simulation, { json }: Pick<CommonOptions, 'json'>): void {
  if (json) sayJson(presentSimulation(simulation));
  else sayChart(simulation);
  if (simulation.violations.length > 0) endWith(EXIT.violations);
}

function ofCampaign(id: string, flags: Flags, progress: Simulating): Promise<Simulation> {
  const alien = [...DESCRIBED, 'delayDays' as const, 'timezone' as const, 'from' as const].find(
    (name) => flags[name] !== undefined,
  );
  if (alien !== undefined) throw invalidInput(alien, 'is for a described campaign, not beside --campaign');
  return withBox(flags, (box) =>
    box.campaigns.simulate(id, { days: flags.days, onProgress: (done, total) => progress.at(done, total) }),
  );
}

async function described(flags: Flags, progress: Simulating): Promise<Simulation> {
  const missing = DESCRIBED.find((name) => flags[name] === undefined);
  if (missing !== undefined)
    throw invalidInput(
      missing,
      'is missing; give --campaign ID, or --people, --steps, --accounts and --quota',
    );
  // Wrong settings are told here as everywhere, although none is used.
  readConfig(surroundings().env);
  const { people, steps, accounts, quota, delayDays, timezone, days } = flags;
  const { simulate } = await import('../simulate/simulator.js');
  const description = {
    ...{ people, steps, accounts, quota },
    ...(delayDays !== undefined && { delayDays }),
    ...(timezone !== undefined && { timezone }),
  } as DescriptionInput;
  return simulate(description, {
    ...{ days, from: instantOf(flags.from) },
    onProgress: (done, total) => progress.at(done, total),
  });
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant))
    throw invalidInput('from', 'should be an instant with its offset, such as 2026-11-16T08:00:00Z');
  return instant;
}

/** How much there is to do is known when it has been planned. */
class Simulating {
  #shown: Progress | undefined;

  at(done: number, total: number): void {
    this.#shown ??= new Progress('simulating', total);
    this.#shown.at(done);
  }

  end(): void {
    this.#shown?.end();
  }
}
