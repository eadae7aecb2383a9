import type { HealthLevel } from './health.js';

export interface TemplatePlate {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

/** Something wrong with one text, and how many people it hits. */
export interface TextFault {
  readonly line: number;
  readonly sentence: string;
  /** What it reads that no event brings, and what may be meant. */
  readonly name: string | null;
  readonly suggestion: string | null;
  readonly count: number;
}

export interface JudgedText {
  readonly locale: string;
  readonly faults: readonly TextFault[];
  /** Mails that died of this text. */
  readonly died: number;
}

/** A locale that people read and no text serves. */
export interface MissingLocale {
  readonly locale: string;
  readonly count: number;
  readonly died: number;
}

export interface TemplateFacts {
  readonly version: string;
  /** Mail has left with it. */
  readonly isUsed: boolean;
  readonly texts: readonly JudgedText[];
  readonly missing: readonly MissingLocale[];
}

const number = (n: number): string => n.toLocaleString('en-GB');
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** "Arabic", "Canadian French"; a tag that nobody has named stays itself. */
export function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** Does every locale render for a real event: in one sentence, and what it rests on. */
export function templatePlate(facts: TemplateFacts): TemplatePlate {
  const { texts, missing } = facts;
  const faulty = texts.filter(({ faults }) => faults.length > 0);
  const whole = texts.filter(({ faults }) => faults.length === 0);
  const [first] = faulty;
  if (first) {
    const names = listed(faulty.map(({ locale }) => languageName(locale)));
    const count = faulty.reduce(
      (sum, { faults }) => sum + Math.max(0, ...faults.map((each) => each.count)),
      0,
    );
    const died = faulty.reduce((sum, text) => sum + text.died, 0);
    const has = faulty.length === 1 ? 'has a fault' : 'have faults';
    return {
      level: 'act',
      sentence: `${names} ${has}: ${hitWords(died, count)}.`,
      evidence: [faultWords(first), wholeWords(whole), savingWords(facts)].filter(Boolean).join(' '),
    };
  }
  const [lost] = missing;
  if (lost) {
    const people = lost.count === 1 ? '1 person reads' : `${number(lost.count)} people read`;
    const theirs = lost.count === 1 ? 'their mail would die' : 'their mails would die';
    const more =
      missing.length === 1
        ? ''
        : ` So it is with ${listed(missing.slice(1).map(({ locale }) => languageName(locale)))}.`;
    return {
      level: 'look',
      sentence: `${people} ${languageName(lost.locale)}, which is missing; ${theirs}.`,
      evidence: `Add it, or say which locale they get instead.${more} ${wholeWords(whole)}`.trim(),
    };
  }
  return {
    level: 'fine',
    sentence:
      texts.length === 1
        ? `${languageName(texts[0]?.locale ?? '')} is whole.`
        : texts.length === 2
          ? 'Both locales are whole.'
          : `All ${WORDS[texts.length] ?? number(texts.length)} locales are whole.`,
    evidence: savingWords(facts),
  };
}

function hitWords(died: number, count: number): string {
  const more = (n: number) => (n === 1 ? '1 person' : `${number(n)} people`);
  if (died === 0 && count === 0) return 'its mails would die';
  if (died === 0) return `${more(count)} could be hit`;
  const dead = died === 1 ? '1 mail died of it' : `${number(died)} mails died of it`;
  return count === 0 ? dead : `${dead}, ${more(count)} could be hit`;
}

const faultWords = ({ faults: [fault] }: JudgedText): string => {
  if (!fault) return '';
  const { line, name, suggestion, sentence } = fault;
  if (name !== null && suggestion !== null) return `Line ${line} wants ${name}; events bring ${suggestion}.`;
  return `Line ${line}: ${sentence}.`;
};

function wholeWords(whole: readonly JudgedText[]): string {
  if (whole.length === 0) return '';
  return `${listed(whole.map(({ locale }) => languageName(locale)))} ${whole.length === 1 ? 'is' : 'are'} whole.`;
}

const savingWords = ({ version, isUsed }: TemplateFacts): string =>
  isUsed
    ? `Saving makes a version; ${version} stays as it was sent.`
    : `No mail has left with ${version} yet: saving corrects it.`;

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** What is said below one text. */
export function verdictWords(
  reads: number,
  known: 'events' | 'sample' | 'nothing',
  isTextMade: boolean,
): string {
  const made = isTextMade ? ' The text part is made from it.' : '';
  const variables = reads === 1 ? '1 variable' : `${number(reads)} variables`;
  if (reads === 0) return `It reads nothing of the event.${made}`;
  if (known === 'nothing') return `It reads ${variables}; no event has brought any yet.${made}`;
  const where = known === 'events' ? 'in the events' : 'in the sample';
  return `${reads === 1 ? 'Its variable is' : `All ${variables} are`} ${where}.${made}`;
}

/** What stands beside a version. */
export function versionWords(version: {
  readonly isNewest: boolean;
  readonly isUsed: boolean;
  readonly eventsOfWeek: number;
}): string {
  const { isNewest, isUsed, eventsOfWeek: n } = version;
  const asked = n === 1 ? '1 event in 7 days asks' : `${number(n)} events in 7 days ask`;
  if (n > 0) return isNewest ? `in use: ${asked} for it` : `${asked} for it still`;
  if (isNewest) return isUsed ? 'the newest' : 'the newest; no mail has left with it';
  return isUsed ? 'mail has left with it' : 'no mail has left with it';
}

export function templatesPlate(items: readonly { readonly topics: number }[], more: boolean): TemplatePlate {
  const used = items.filter(({ topics }) => topics > 0).length;
  const count = items.length === 1 ? '1 template' : `${number(items.length)} templates`;
  return {
    level: 'fine',
    sentence: more ? `The first ${count}, and there are more.` : `${count}.`,
    evidence:
      used === 0
        ? 'No event of late has named one.'
        : `The last 1,000 events name ${used === items.length ? (used === 1 ? 'it' : 'all of them') : `${number(used)} of them`}.`,
  };
}
