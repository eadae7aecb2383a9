import { CAMPAIGN_STATES, ENROLMENT_STATES, PRIORITIES } from '../core/campaign.js';
import { DEALS } from '../core/plan/dealing.js';
import { DELAY_UNITS } from '../core/sequence.js';
import type { Limit as KnownLimit } from '../core/limits.js';
import type { ScheduleProgress as KnownProgress } from '../campaigns/campaigns.js';
import type { DryRun as KnownDryRun } from '../campaigns/dry-run.js';
import type { Resumption as KnownResumption } from '../campaigns/foresight.js';
import type { Plate as KnownPlate } from '../campaigns/plates.js';
import type { Happening } from '../campaigns/recent.js';
import type { CampaignView, PersonView } from '../campaigns/view-of.js';
import type { CampaignDetail as KnownDetail } from '../campaigns/views.js';
import { ACTS, WARNING_LEVELS } from '../campaigns/warnings.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { Limit, presentLimit } from './limits.js';
import { flag, instant, list, nextCursor, nullable, optional, text, whole, word } from './shape.js';
import { ActionWord, LevelWord, StateWord } from './words.js';

const CampaignState = word(CAMPAIGN_STATES, { title: 'CampaignState' });

const Plate = Type.Object({
  level: LevelWord,
  sentence: text('4 campaigns run, all on plan.'),
  evidence: optional(text('The next mail leaves 10:42:31 EST.')),
});

const countsOf = <Word extends string>(words: readonly Word[]) =>
  Type.Object(
    Object.fromEntries(words.map((each) => [each, whole(0)])) as Record<Word, ReturnType<typeof whole>>,
  );

const Progress = Type.Object({
  total: whole(3_000, 'All messages that were planned.'),
  sent: whole(1_200),
  sentToday: whole(53),
  planToday: whole(80, 'What is still to leave today.'),
});

const HoldUp = Type.Object({
  level: LevelWord,
  sentence: text('hello@ is paused; its people wait.'),
  verb: text('Open the account'),
  to: text('/accounts/acc_1'),
  awaits: text('hello@', 'What it waits for: an account by its name, or somebody.'),
});

const fields = {
  id: text('cmp_3k'),
  name: text('Autumn'),
  state: CampaignState,
  sequenceId: nullable(Type.String(), 'Null: ready-made messages only.', 'seq_3k'),
  sequenceVersion: nullable(Type.Integer(), 'Pinned at its launch.', 1),
  accountIds: list(text('acc_1')),
  timezone: word(['account', 'recipient'], { description: 'Whose window holds.' }),
  stopOnReply: flag(true),
  startAt: nullable(instant()),
  endAt: nullable(instant()),
  dailyLimit: nullable(Type.Integer()),
  maxNewPerDay: nullable(Type.Integer()),
  prioritize: word(PRIORITIES),
  acceptanceDays: whole(15),
  deal: word(DEALS),
  people: whole(1_000),
  progress: Progress,
  next: nullable(Type.Object({ at: instant(), accountId: text('acc_1') })),
  endsAt: nullable(instant(), 'When the last message leaves, as things are.'),
  plannedEndsAt: nullable(instant(), 'The same, as it was first planned.'),
  replied: whole(12),
  holdUp: nullable(HoldUp),
  launchedAt: nullable(instant()),
  pausedAt: nullable(instant()),
  pauseReason: nullable(Type.String()),
  decidedBy: nullable(Type.String(), 'Who paused or stopped it, where that is known.', 'mara@example.org'),
  finishedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
};

export const Campaign = Type.Object(fields, { title: 'Campaign' });
export type Campaign = Static<typeof Campaign>;

const ListPlate = Type.Object({
  ...Plate.properties,
  needs: list(
    Type.Object({
      level: LevelWord,
      sentence: text('hello@ is paused; its people wait.'),
      verb: text('Open the account'),
      to: text('/accounts/acc_1'),
    }),
    'What somebody has to do something about, the most urgent first.',
  ),
});

export const CampaignList = Type.Object(
  { plate: ListPlate, items: list(Campaign), nextCursor: nextCursor(), counts: countsOf(CAMPAIGN_STATES) },
  { title: 'CampaignList' },
);

export const CampaignDetail = Type.Object(
  {
    ...fields,
    plate: Plate,
    sequenceName: nullable(Type.String(), undefined, 'Autumn'),
    waiting: whole(1_800, 'What waits or is on its way.'),
    peopleBy: countsOf(ENROLMENT_STATES),
    steps: list(
      Type.Object({
        order: whole(1),
        action: ActionWord,
        subject: nullable(Type.String(), 'Null: it goes on in the thread.', 'Rooms in autumn'),
        delayDays: whole(0),
        delayUnit: word(DELAY_UNITS),
        sent: whole(1_000),
        planned: whole(0),
        stopped: whole(12, 'Cancelled, skipped or expired.'),
        dead: whole(1, 'Dead or held.'),
        replied: whole(12),
      }),
    ),
  },
  { title: 'CampaignDetail' },
);
export type CampaignDetail = Static<typeof CampaignDetail>;

export const presentCampaign = (view: CampaignView): Campaign => ({
  id: view.id,
  name: view.name,
  state: view.state,
  sequenceId: view.sequenceId,
  sequenceVersion: view.sequenceVersion,
  accountIds: view.accountIds,
  timezone: view.timezone,
  stopOnReply: view.stopOnReply,
  startAt: presentInstant(view.startAt),
  endAt: presentInstant(view.endAt),
  dailyLimit: view.dailyLimit,
  maxNewPerDay: view.maxNewPerDay,
  prioritize: view.prioritize,
  acceptanceDays: view.acceptanceDays,
  deal: view.deal,
  people: view.people,
  progress: view.progress,
  next: view.next && { at: iso(view.next.at), accountId: view.next.accountId },
  endsAt: presentInstant(view.endsAt),
  plannedEndsAt: presentInstant(view.plannedEndsAt),
  replied: view.replied,
  holdUp: view.holdUp,
  launchedAt: presentInstant(view.launchedAt),
  pausedAt: presentInstant(view.pausedAt),
  pauseReason: view.pauseReason,
  decidedBy: view.decidedBy,
  finishedAt: presentInstant(view.finishedAt),
  createdAt: iso(view.createdAt),
  updatedAt: iso(view.updatedAt),
});

export const presentDetail = (detail: KnownDetail): CampaignDetail => ({
  ...presentCampaign(detail),
  plate: detail.plate,
  sequenceName: detail.sequenceName,
  waiting: detail.waiting,
  peopleBy: detail.peopleBy,
  steps: detail.steps,
});

export const Happenings = Type.Object(
  {
    items: list(
      Type.Object({
        at: instant(),
        state: StateWord,
        contactId: nullable(Type.String(), undefined, 'con_3k'),
        name: nullable(Type.String(), undefined, 'Ada'),
        email: nullable(Type.String(), undefined, 'ada@example.org'),
        messageId: nullable(Type.String(), 'Null: it is about the person.', 'msg_3k'),
        step: nullable(Type.Integer(), undefined, 1),
        accountId: nullable(Type.String(), undefined, 'acc_1'),
        note: nullable(Type.String(), 'What a server said, or why the person left it.'),
      }),
    ),
  },
  { title: 'Happenings' },
);

export const presentHappening = ({ at, ...rest }: Happening) => ({ ...rest, at: iso(at) });

export const Enrolled = Type.Object({ enrolled: whole(1_000), skipped: whole(0) });
export const Removed = Type.Object({ removed: whole(2) });
export const LeftOut = Type.Object(
  { removed: whole(31), more: flag(false, 'Not all of them yet: ask again.') },
  { title: 'LeftOut' },
);

export const SchedulingResult = Type.Object(
  {
    scheduled: whole(3_000, 'Messages that this call stored.'),
    skipped: whole(0, 'Those that were there already, and those that are left out.'),
    errors: list(text('Not everybody fits: its accounts have no time left in the years to come.')),
    warnings: list(text('12 would leave after the end of the campaign; not planned.')),
  },
  { title: 'SchedulingResult' },
);

const ScheduleProgress = Type.Object({
  planned: whole(120_000, 'In messages.'),
  total: whole(300_000),
  etaSeconds: nullable(Type.Integer(), 'Null: nobody knows yet.', 12),
});

export const SchedulingLater = Type.Object({ progress: ScheduleProgress }, { title: 'SchedulingUnderWay' });

export const ScheduleStatus = Type.Object(
  {
    status: CampaignState,
    scheduled: whole(1_800, 'What waits or is on its way.'),
    sent: whole(1_200),
    failed: whole(1),
    cancelled: whole(12),
    progress: ScheduleProgress,
  },
  { title: 'ScheduleStatus' },
);

export const presentProgress = ({ planned, total, etaSeconds }: KnownProgress) => ({
  planned,
  total,
  etaSeconds,
});

export const DryRun = Type.Object(
  {
    plate: Plate,
    total: whole(3_000),
    mailed: whole(1_000, 'People who would get something of it.'),
    countedAt: instant(),
    firstAt: nullable(instant()),
    lastAt: nullable(instant()),
    reachesAllAt: nullable(instant(), 'When the last of them gets the first of it.'),
    sequenceVersion: nullable(Type.Integer(), 'Which a launch would pin, or has pinned.', 4),
    days: list(
      Type.Object({ date: text('2026-11-16'), accountId: text('acc_1'), count: whole(20), quota: whole(20) }),
    ),
    capacity: list(
      Type.Object({
        accountId: text('acc_1'),
        perDay: whole(20),
        binding: Limit,
        next: nullable(Limit),
        doneOn: nullable(Type.String(), 'The local date of its last message.', '2026-12-18'),
      }),
    ),
    warnings: list(
      Type.Object({
        code: text('known'),
        level: word(WARNING_LEVELS, { description: 'block: nothing could ever leave.' }),
        sentence: text('12 messages would go to people who have had this sequence; they are left out.'),
        count: whole(12),
        to: nullable(Type.String(), 'Where to do something about it.'),
        verb: nullable(Type.String(), undefined, 'Show 12'),
        act: nullable(word(ACTS), 'What the verb does at once; null: it leads there.'),
        concern: nullable(Type.String(), 'Whom it concerns: a filter of the people.', 'known'),
        date: nullable(Type.String(), 'The local date that it is about.', '2026-12-25'),
      }),
    ),
  },
  { title: 'DryRun' },
);

export const presentDryRun = (
  run: KnownDryRun & { readonly plate: KnownPlate; readonly countedAt: number },
): Static<typeof DryRun> => ({
  plate: run.plate,
  total: run.total,
  mailed: run.mailed,
  countedAt: iso(run.countedAt),
  firstAt: presentInstant(run.firstAt),
  lastAt: presentInstant(run.lastAt),
  reachesAllAt: presentInstant(run.reachesAllAt),
  sequenceVersion: run.sequenceVersion,
  days: run.days,
  capacity: run.capacity.map(({ binding, next, ...rest }) => ({
    ...rest,
    binding: presentLimit(binding),
    next: next && presentLimit(next satisfies KnownLimit),
  })),
  warnings: run.warnings,
});

export const CampaignResumption = Type.Object(
  {
    countedAt: instant('It is counted again after some minutes.'),
    sentence: nullable(
      Type.String(),
      'Null: it is not paused, or it can not be known.',
      'Resumed by Wed 18 Nov, the end date holds: nothing leaves after Thu 17 Dec. Counted 10:41 EST.',
    ),
    by: nullable(
      instant('It may be resumed on any day up to that in which this is.'),
      'Null: now, if at all.',
    ),
    endsAt: nullable(instant('When its last mail would leave if it were resumed now.')),
    holdsUntil: nullable(instant('Its end date, or the end of the day on which it was planned to end.')),
    late: whole(0, 'How many would leave after that if it were resumed now.'),
  },
  { title: 'CampaignResumption' },
);

export const presentResumption = ({
  countedAt,
  sentence,
  outlook,
}: KnownResumption): Static<typeof CampaignResumption> => ({
  countedAt: iso(countedAt),
  sentence,
  by: presentInstant(outlook?.by ?? null),
  endsAt: presentInstant(outlook?.endsAt ?? null),
  holdsUntil: presentInstant(outlook?.holdsUntil ?? null),
  late: outlook?.late ?? 0,
});

export const CampaignCalendar = Type.Object(
  {
    days: list(
      Type.Object({
        date: text('2026-11-16'),
        accountId: text('acc_1'),
        planned: whole(12),
        sent: whole(8),
        launched: whole(20, 'As it was first planned.'),
        quota: whole(20),
      }),
    ),
  },
  { title: 'CampaignCalendar' },
);

export const CampaignRoom = Type.Object(
  {
    days: list(
      Type.Object({
        date: text('2026-11-16'),
        sent: whole(0, 'What has left on it, or is leaving.'),
        planned: whole(80, 'What is still to leave on it.'),
        capacity: whole(100),
      }),
    ),
  },
  { title: 'CampaignRoom' },
);

export const PersonInCampaign = Type.Object(
  {
    contactId: text('con_3k'),
    name: nullable(Type.String(), undefined, 'Ada'),
    email: nullable(Type.String(), undefined, 'ada@example.org'),
    status: word([...ENROLMENT_STATES, 'finished']),
    steps: list(Type.Object({ order: whole(1), state: StateWord, at: instant() })),
    accountId: nullable(Type.String(), undefined, 'acc_1'),
    nextAt: nullable(instant()),
    why: nullable(Type.String()),
  },
  { title: 'PersonInCampaign' },
);

export const presentPersonInCampaign = (person: PersonView): Static<typeof PersonInCampaign> => ({
  contactId: person.contactId,
  name: person.name,
  email: person.email,
  status: person.status,
  steps: person.steps.map(({ order, state, at }) => ({ order, state, at: iso(at) })),
  accountId: person.accountId,
  nextAt: presentInstant(person.nextAt),
  why: person.why,
});
