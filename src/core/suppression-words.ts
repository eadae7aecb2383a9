import type { HealthLevel } from './health.js';
import { LANES, type Lane } from './message.js';
import type { Suppression, SuppressionReason } from './suppression.js';
import { forPeople } from './text.js';

const number = (n: number): string => n.toLocaleString('en-GB');

export interface SuppressionPlate {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

interface Counts {
  readonly byReason: Readonly<Record<SuppressionReason, number>>;
  readonly lastDay: number;
}

/** How many are not written to, in one sentence, and what it rests on. */
export function suppressionsPlate({ byReason, lastDay }: Counts): SuppressionPlate {
  const all = Object.values(byReason).reduce((sum, n) => sum + n, 0);
  if (all === 0)
    return {
      level: 'fine',
      sentence: 'Nobody is suppressed.',
      evidence: 'Who bounces, complains or unsubscribes comes here by itself.',
    };
  const how = all === 1 ? '1 address is not written to.' : `${number(all)} addresses are not written to.`;
  const lately = lastDay === 0 ? 'None came' : lastDay === 1 ? '1 came' : `${number(lastDay)} came`;
  return {
    level: 'fine',
    sentence: `${how} ${lately} since yesterday.`,
    evidence: 'Every lane looks here at the last moment. An import never brings anyone back.',
  };
}

export const REASON_WORDS: Readonly<Record<SuppressionReason, string>> = {
  hard_bounce: 'bounced',
  soft_bounces: 'soft bounces',
  complaint: 'complained',
  unsubscribed: 'unsubscribed',
  manual: 'suppressed by hand',
};

const LONGEST_SAID = 200;

/** What a server said of a mail, as its last try has kept it. */
export interface ServerAnswer {
  readonly code: string | null;
  readonly text: string;
}

/** Its code first. The address, with which most servers begin, stands beside it already. */
function answerText({ code, text }: ServerAnswer, address: string): string {
  const named = `<${address}>: `;
  const isNamed = text.slice(0, named.length).toLowerCase() === named.toLowerCase();
  const words = isNamed ? text.slice(named.length) : text;
  return code === null || words.startsWith(code) ? words : `${code} ${words}`;
}

/** What was said when it came about: by a server, by the person, or by whoever did it. */
export function saidWords({ address, reason, note }: Suppression, answer: ServerAnswer | null): string {
  const replied = answer === null ? '' : forPeople(answerText(answer, address), LONGEST_SAID);
  if (note !== null)
    return reason === 'manual' ? `“${forPeople(note, LONGEST_SAID)}”` : forPeople(note, LONGEST_SAID);
  switch (reason) {
    case 'complaint':
      return 'reported as spam';
    case 'unsubscribed':
      return 'their own word';
    case 'hard_bounce':
      return replied || 'the mailbox is gone';
    case 'soft_bounces':
      return `three times in 7 days${replied && `: ${replied}`}`;
    case 'manual':
      return '';
  }
}

const LANE_WORDS: Readonly<Record<Lane, string>> = {
  outbox: 'single mails',
  campaign: 'campaigns',
  notification: 'notifications',
};

/** What does not leave because of it. */
export function notSentWords({ reason, lanes }: Pick<Suppression, 'reason' | 'lanes'>): string {
  const all = lanes === null || LANES.every((lane) => lanes.includes(lane));
  if (all) return reason === 'unsubscribed' ? 'all but transactional' : 'everything';
  return lanes.map((lane) => LANE_WORDS[lane]).join(', ');
}

/** What could go wrong if it were taken off the list. */
export function removalWords({ reason }: Pick<Suppression, 'reason'>): string {
  switch (reason) {
    case 'hard_bounce':
      return 'Its server said that there is no such mailbox. Writing to it again harms the name of your accounts, unless it was made anew.';
    case 'soft_bounces':
      return 'Its server turned three mails away within 7 days. If it still does, it comes back here.';
    case 'complaint':
      return 'This person has reported your mail as spam. Writing again may cost you the account, and may be against the law. Only on their own word.';
    case 'unsubscribed':
      return 'This person said that they want no more mail. Write again only if they have asked for it since.';
    case 'manual':
      return 'Somebody decided this for a reason. Mail to it leaves again from the very next hand-over on.';
  }
}

/** Why one lane is open or shut to an address, behind the yes or no. */
export function laneWords(lane: {
  readonly writes: boolean;
  readonly writesTransactional: boolean;
  readonly reason: SuppressionReason | null;
}): string {
  if (lane.writes || lane.reason === null) return 'nothing is in the way';
  const why = REASON_WORDS[lane.reason];
  return lane.writesTransactional ? `${why}; what is marked transactional still leaves` : why;
}
