import { Command, Option } from 'commander';
import type { Scheduling } from '../campaigns/campaigns.js';
import type { CampaignView } from '../campaigns/view-of.js';
import { CAMPAIGN_STATES, type CampaignState } from '../core/campaign.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { presentCampaign, presentDryRun, presentProgress } from '../presentation/campaign.js';
import { audit } from './audit.js';
import { sayDryRun } from './campaign-plan.js';
import { EXIT } from './exit.js';
import { parseLimit } from './limit.js';
import { Progress } from './progress.js';
import { withBox, withCommon, withSecrets, type CommonOptions } from './session.js';
import { endWith } from './surroundings.js';
import type { Column } from './table.js';
import { amount, harmless, levelMark, relative, say, sayAside, sayJson, table } from './terminal.js';

const LOOK_EVERY_MS = 200;

export function campaignCommand(): Command {
  const campaign = new Command('campaign').description(
    'plan campaigns, launch them, and see how far they are',
  );
  for (const each of [listCommand(), planCommand(), launchCommand(), ...decisions(), statusCommand()])
    campaign.addCommand(each);
  return campaign;
}

const ofOne = (name: string, description: string): Command =>
  withCommon(new Command(name)).description(description).argument('<id>', 'the id of the campaign');

const planCommand = (): Command =>
  ofOne('plan', 'show what a launch would come to, day by day; nothing is stored').action(
    (id: string, flags: CommonOptions) =>
      withBox(flags, async (box) => {
        const run = await box.campaigns.plan(id);
        if (flags.json) sayJson(presentDryRun(run));
        else sayDryRun(run, id);
      }),
  );

const launchCommand = (): Command =>
  ofOne('launch', 'let it run, and give everybody in it their times; again for whoever came since').action(
    (id: string, flags: CommonOptions) =>
      withBox(flags, (box) => schedule(box, id, flags, 'launch', 'Launched'), withSecrets),
  );

/** To its end, with a line that shows how far it is: whoever is cut off goes on with the same command. */
async function schedule(
  box: Pillarbox,
  id: string,
  { json }: CommonOptions,
  verb: 'launch' | 'resume',
  done: string,
): Promise<void> {
  const { campaigns } = box;
  const planning = campaigns[verb](id, { toTheEnd: true });
  const result = await watched(box, id, planning);
  await audit(box.store, { workspaceId: box.home.id, action: `campaign.${verb}`, target: id });
  if (!result.done) throw new Error('it was not planned to its end');
  const { scheduled, skipped, errors, warnings } = result;
  if (json) {
    sayJson(
      verb === 'launch' ? { scheduled, skipped, errors, warnings } : presentCampaign(await campaigns.get(id)),
    );
  } else {
    const rest = skipped > 0 ? ` ${amount(skipped, 'message')} had been there already or are left out.` : '';
    const figures = scheduled > 0 || verb === 'launch' ? ` ${amount(scheduled, 'message')} scheduled.` : '';
    say(
      levelMark(
        errors.length > 0 ? 'act' : warnings.length > 0 ? 'look' : 'fine',
        `${done}.${figures}${rest}`,
      ),
    );
    for (const sentence of [...errors, ...warnings]) sayAside(sentence);
  }
  if (errors.length > 0) endWith(EXIT.failed);
}

async function watched(box: Pillarbox, id: string, planning: Promise<Scheduling>): Promise<Scheduling> {
  let progress: Progress | undefined;
  const timer = setInterval(() => {
    box.campaigns.progressOf(id).then(
      ({ planned, total }) => {
        progress ??= new Progress('planning', total);
        progress.at(planned);
      },
      // What is wrong is told by the planning itself.
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  try {
    return await planning;
  } finally {
    clearInterval(timer);
    progress?.end();
  }
}

const decisions = (): readonly Command[] => [
  ofOne('pause', 'let nothing of it leave any more but what was handed over')
    .option('--reason <text>', 'why, for whoever looks at it')
    .action((id: string, flags: CommonOptions & { readonly reason?: string }) =>
      withBox(flags, (box) =>
        decide(box, id, flags, 'pause', 'Paused. It goes on with: pillarbox campaign resume', () =>
          box.campaigns.pause(id, flags.reason),
        ),
      ),
    ),
  ofOne('resume', 'let it go on; what waits gets new times').action((id: string, flags: CommonOptions) =>
    withBox(flags, (box) => schedule(box, id, flags, 'resume', 'It goes on'), withSecrets),
  ),
  ofOne('stop', 'end it; what waits is cancelled').action((id: string, flags: CommonOptions) =>
    withBox(flags, (box) =>
      decide(box, id, flags, 'stop', 'Stopped. What waited is cancelled.', () => box.campaigns.stop(id)),
    ),
  ),
];

async function decide(
  box: Pillarbox,
  id: string,
  { json }: CommonOptions,
  verb: string,
  done: string,
  act: () => Promise<void>,
): Promise<void> {
  await act();
  await audit(box.store, { workspaceId: box.home.id, action: `campaign.${verb}`, target: id });
  if (json) sayJson(presentCampaign(await box.campaigns.get(id)));
  else say(levelMark('fine', done));
}

const statusCommand = (): Command =>
  ofOne('status', 'show how far it is').action((id: string, flags: CommonOptions) =>
    withBox(flags, async (box) => {
      const { campaigns } = box;
      const status = await campaigns.status(id);
      const progress = await campaigns.progressOf(id);
      if (flags.json) {
        sayJson({ ...status, progress: presentProgress(progress) });
        return;
      }
      const detail = await campaigns.get(id);
      say(levelMark(detail.plate.level, harmless(detail.plate.sentence)));
      const { sentence } = await campaigns.resumption(id);
      if (sentence !== null) say(sentence);
      const { sent, scheduled, failed, cancelled } = status;
      const planned =
        progress.planned < progress.total
          ? `, ${progress.planned.toLocaleString('en-US')} of ${progress.total.toLocaleString('en-US')} planned`
          : '';
      say(
        `${harmless(detail.name)}: ${detail.state}, ${amount(sent, 'message')} sent, ${scheduled.toLocaleString('en-US')} to come, ` +
          `${failed.toLocaleString('en-US')} failed, ${cancelled.toLocaleString('en-US')} ended otherwise${planned}.`,
      );
      if (detail.steps.length > 0) say(table(detail.steps, STEP_COLUMNS));
    }),
  );

const figureColumn = <Name extends string>(title: string, name: Name): Column<Record<Name, number>> => ({
  title,
  text: (row) => row[name].toLocaleString('en-US'),
});

const STEP_COLUMNS = [
  figureColumn('STEP', 'order'),
  figureColumn('SENT', 'sent'),
  figureColumn('TO COME', 'planned'),
  figureColumn('STOPPED', 'stopped'),
  figureColumn('DEAD', 'dead'),
  figureColumn('REPLIED', 'replied'),
] as const;

interface ListFlags extends CommonOptions {
  readonly state?: CampaignState;
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const listCommand = (): Command =>
  withCommon(new Command('ls'))
    .description('list campaigns, newest first')
    .addOption(new Option('--state <state>', 'only those').choices(CAMPAIGN_STATES))
    .option('--q <text>', 'only those whose name holds this')
    .option('--limit <n>', 'how many, at most 200', parseLimit, 20)
    .option('--cursor <cursor>', 'go on from an earlier list')
    .action(({ json, state, q, limit, cursor, ...flags }: ListFlags) =>
      withBox(flags, async (box) => {
        const { items, nextCursor, plate } = await box.campaigns.list({ state, q, limit, cursor });
        if (json) {
          sayJson({ plate, items: items.map(presentCampaign), nextCursor });
          return;
        }
        say(levelMark(plate.level, harmless(plate.sentence)));
        if (items.length > 0) say(table(items, columns(await box.now())));
        if (nextCursor !== null) say(`More: --cursor ${nextCursor}`);
      }),
    );

const columns = (now: number): Column<CampaignView>[] => [
  { title: 'NAME', text: ({ name }) => harmless(name), gives: { order: 1, least: 8 } },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'PEOPLE', text: ({ people }) => people.toLocaleString('en-US') },
  {
    title: 'SENT',
    text: ({ progress: { sent, total } }) =>
      `${sent.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
  },
  { title: 'NEXT', text: ({ next }) => (next ? relative(next.at, now) : '') },
  { title: 'LAST', text: ({ endsAt }) => (endsAt === null ? '' : relative(endsAt, now)) },
  { title: 'ID', text: ({ id }) => id },
];
