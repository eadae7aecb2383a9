import type { HealthLevel } from './health.js';
import type { DelayUnit, SequenceStep } from './sequence.js';

export interface SequencePlate {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

/** What is wrong with one of the steps. */
export interface JudgedFault {
  readonly step: number;
  readonly sentence: string;
  /** It can't be saved like this. */
  readonly blocks: boolean;
}

const number = (n: number): string => n.toLocaleString('en-GB');
const counted = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`;

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
const spelled = (n: number): string => WORDS[n] ?? number(n);

/** What will people get, and is anything wrong with it: in one sentence, and what it rests on. */
export function sequencePlate(
  steps: readonly SequenceStep[],
  faults: readonly JudgedFault[],
  people: number,
): SequencePlate {
  const blocking = faults.filter(({ blocks }) => blocks);
  const [first] = blocking;
  const whole = stepsWords(steps);
  if (first) {
    const where = [...new Set(blocking.map(({ step }) => step))].sort((a, b) => a - b);
    const sentence =
      where.length === 1
        ? `Step ${String(first.step)} has ${blocking.length === 1 ? 'a fault' : `${number(blocking.length)} faults`}: every mail of it would die. Mend it to save.`
        : `Steps ${where.slice(0, -1).join(', ')} and ${String(where.at(-1))} have faults: every mail of them would die. Mend them to save.`;
    return { level: 'act', sentence, evidence: whole };
  }
  const [lacking] = faults;
  if (lacking)
    return {
      level: 'look',
      sentence: `Step ${String(lacking.step)}: ${lacking.sentence}.`,
      evidence: `Give a default, or leave them out. ${whole}`,
    };
  return { level: 'fine', sentence: whole, evidence: checkedWords(people) };
}

/** How many there are, and how many of them are in use. */
export function sequencesPlate(
  items: readonly { readonly usedBy: { readonly running: number } }[],
  more: boolean,
): SequencePlate {
  const running = items.filter(({ usedBy }) => usedBy.running > 0).length;
  const count = counted(items.length, 'sequence');
  return {
    level: 'fine',
    sentence: more ? `The newest ${count}, and there are more.` : `${count}.`,
    evidence:
      running === 0
        ? 'No campaign that runs says any of them.'
        : `Campaigns that run say ${number(running)} of them.`,
  };
}

/** "642 sent, 34 replied". */
export const resultWords = (sent: number, replied: number): string =>
  `${number(sent)} sent, ${number(replied)} replied`;

/** What the figures of its steps count; null: all that there is. */
export const countedWords = (counted: number, campaigns: number): string | null =>
  counted >= campaigns
    ? null
    : `Counted: the newest ${number(counted)} of its ${number(campaigns)} campaigns.`;

/** "Person 2 of 1,200": who of those that are walked through. */
export function placeWords(at: {
  /** 0: not among them. */
  readonly place: number;
  readonly walked: number;
  readonly onlyLacking: boolean;
  /** Nobody was left unlooked at. */
  readonly isAll: boolean;
}): string {
  const { place, walked, onlyLacking, isAll } = at;
  if (onlyLacking) return place === 0 ? 'Lacks nothing' : `Person ${number(place)} of ${lackWords(walked)}`;
  if (walked === 0) return 'Nobody yet';
  const all = isAll ? number(walked) : `the newest ${number(walked)}`;
  return place === 0 ? `Not among ${all}` : `Person ${number(place)} of ${all}`;
}

/** "12 who lack something". */
export const lackWords = (count: number): string =>
  count === 0 ? 'Nobody lacks anything' : `${number(count)} who ${count === 1 ? 'lacks' : 'lack'} something`;

const checkedWords = (people: number): string =>
  people === 0
    ? 'There is nobody yet to check it against.'
    : `Checked against ${people === 1 ? 'the one contact' : `the newest ${number(people)} contacts`} there ${people === 1 ? 'is' : 'are'}.`;

/** "Five steps over 10 days: 3 mails and 2 on LinkedIn." */
export function stepsWords(steps: readonly SequenceStep[]): string {
  const mails = steps.filter(({ action }) => action === 'email').length;
  const others = steps.length - mails;
  const kinds = [
    ...(mails > 0 ? [counted(mails, 'mail')] : []),
    ...(others > 0 ? [`${number(others)} on LinkedIn`] : []),
  ].join(' and ');
  return `${spelled(steps.length)} ${steps.length === 1 ? 'step' : 'steps'}${lengthWords(steps)}: ${kinds}.`;
}

/** How long it takes at least, where all delays are counted alike. */
function lengthWords(steps: readonly SequenceStep[]): string {
  const later = steps.filter(({ order, delayDays }) => order > 1 && delayDays > 0);
  const [first] = later;
  if (!first) return '';
  const units = new Set(later.map(({ delayUnit }) => delayUnit));
  const days = later.reduce((sum, { delayDays, delayUnit }) => sum + delayDays * DAYS[delayUnit], 0);
  if (units.size === 1) {
    const sum = later.reduce((all, { delayDays }) => all + delayDays, 0);
    return ` over ${counted(sum, ...UNITS[first.delayUnit])}`;
  }
  return ` over ${counted(Math.max(1, Math.ceil(days)), 'day')} or more`;
}

const DAYS: Readonly<Record<DelayUnit, number>> = { days: 1, sendingDays: 1, hours: 1 / 24 };
const UNITS: Readonly<Record<DelayUnit, readonly [one: string, many: string]>> = {
  days: ['day', 'days'],
  sendingDays: ['sending day', 'sending days'],
  hours: ['hour', 'hours'],
};
