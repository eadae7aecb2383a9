import type { CampaignState } from '../core/campaign.js';
import { dateWords, timeWords, type Clock } from '../core/time-words.js';
import type { Late } from './late.js';
import type { HoldUp, Plate } from './plates.js';

/** What the sentence about one campaign follows from. */
export interface PlateFacts {
  readonly state: CampaignState;
  readonly people: number;
  readonly sequenceId: string | null;
  readonly progress: { readonly total: number; readonly sent: number };
  /** What waits or is on its way. */
  readonly waiting: number;
  /** Of a running one whose people are not all planned yet, in messages. */
  readonly planning: { readonly planned: number; readonly total: number } | null;
  readonly next: { readonly at: number } | null;
  readonly endsAt: number | null;
  readonly replied: number;
  readonly holdUp: HoldUp | null;
  readonly late: Pick<Late, 'days' | 'cause'> | null;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly decidedBy: string | null;
  readonly finishedAt: number | null;
}

const number = (n: number): string => n.toLocaleString('en-GB');
const things = (n: number, one: string, many: string): string =>
  n === 1 ? `1 ${one}` : `${number(n)} ${many}`;

const by = (actor: string | null): string => (actor === null ? '' : ` by ${actor}`);

/** On plan, when does it end, what holds it up. */
export function campaignPlate(facts: PlateFacts, clock: Clock): Plate {
  const { state, progress, replied, finishedAt, decidedBy } = facts;
  const on = (instant: number | null) => (instant === null ? '' : ` on ${dateWords(instant, clock)}`);
  if (state === 'draft') return draftPlate(facts);
  if (state === 'completed')
    return {
      level: 'fine',
      sentence: `Completed${on(finishedAt)}. ${number(progress.sent)} sent, ${number(replied)} replied.`,
    };
  if (state === 'stopped')
    return {
      level: 'fine',
      sentence: `Stopped${by(decidedBy)}${on(finishedAt)}. ${number(progress.sent)} of ${number(progress.total)} sent; the rest never leaves.`,
    };
  if (state === 'paused') return pausedPlate(facts, clock);
  return runningPlate(facts, clock);
}

function draftPlate({ people, sequenceId }: PlateFacts): Plate {
  const level = 'fine';
  if (people === 0) return { level, sentence: 'A draft. Nobody is in it yet.' };
  const are = things(people, 'person is', 'people are');
  if (sequenceId === null) return { level, sentence: `A draft. ${are} in it; it has no sequence yet.` };
  return { level, sentence: `A draft. ${are} in it; see what would leave when, then launch.` };
}

function pausedPlate({ waiting, pausedAt, pauseReason, decidedBy }: PlateFacts, clock: Clock): Plate {
  const since = pausedAt === null ? '' : ` since ${timeWords(pausedAt, clock)}`;
  const why = pauseReason === null ? '' : `: “${pauseReason}”`;
  return {
    level: 'look',
    sentence: `Paused${by(decidedBy)}${since}${why}. ${things(waiting, 'mail waits', 'mails wait')}.`,
    evidence: 'Resumed, they get new times from then on.',
  };
}

function runningPlate(facts: PlateFacts, clock: Clock): Plate {
  const { progress, planning, next, endsAt, late, holdUp } = facts;
  const leaves = (instant: number) => timeWords(Math.max(instant, clock.now), clock);
  if (planning) {
    const first = next ? ` The first leaves ${leaves(next.at)}.` : '';
    return {
      level: 'fine',
      sentence: `${number(planning.planned)} of ${number(planning.total)} planned.${first}`,
      evidence: 'The planning goes on by itself, also when this page is closed.',
    };
  }
  const sent = `${number(progress.sent)} of ${number(progress.total)} sent`;
  if (holdUp?.level === 'act') return { level: 'act', sentence: holdUp.sentence, evidence: `${sent}.` };
  const ends = endsAt === null ? 'nothing waits to leave' : `the last mail leaves ${leaves(endsAt)}`;
  const following = next
    ? `The next mail leaves ${timeWords(Math.max(next.at, clock.now), clock, { seconds: true })}.`
    : undefined;
  if (late) {
    // What holds it up is the sentence already, unless it is something else.
    const other = holdUp && holdUp.sentence !== `${late.cause}.` ? holdUp.sentence : following;
    return {
      level: 'look',
      sentence: `Late by ${things(late.days, 'day', 'days')}. ${late.cause}; ${ends}.`,
      evidence: other === undefined ? `${sent}.` : `${sent}. ${other}`,
    };
  }
  const evidence = holdUp?.sentence ?? following;
  return {
    level: holdUp ? 'look' : 'fine',
    sentence: `On plan. ${sent}; ${ends}.`,
    ...(evidence !== undefined && { evidence }),
  };
}

/** What a launch would come to, in one sentence. */
export interface PlanFacts {
  readonly total: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly days: readonly { readonly date: string; readonly count: number }[];
  readonly pace: string | null;
  readonly warnings: readonly { readonly level: 'block' | 'read' | 'note'; readonly sentence: string }[];
}

/** What would leave when, and what is wrong with it. */
export function planPlate({ total, firstAt, lastAt, days, pace, warnings }: PlanFacts, clock: Clock): Plate {
  const blocks = warnings.filter(({ level }) => level === 'block');
  const toRead = warnings.filter(({ level }) => level === 'read').length;
  const [first] = blocks;
  if (first)
    return {
      level: 'act',
      sentence: `${things(blocks.length, 'thing stops', 'things stop')} the launch. ${first.sentence}`,
    };
  const read =
    toRead === 0 ? 'Nothing stops you.' : `${things(toRead, 'thing', 'things')} to read; none stops you.`;
  if (firstAt === null || lastAt === null)
    return { level: 'look', sentence: 'Nothing would leave.', evidence: read };
  const byDay = new Map<string, number>();
  for (const { date, count } of days) byDay.set(date, (byDay.get(date) ?? 0) + count);
  const most = Math.max(...byDay.values());
  return {
    level: 'fine',
    sentence: `${things(total, 'mail', 'mails')} would leave from ${timeWords(firstAt, clock)} to ${timeWords(lastAt, clock)}.`,
    evidence: `At most ${number(most)} a day, ${pace ?? `on ${things(byDay.size, 'day', 'days')}`}. ${read}`,
  };
}
