import type { HealthLevel } from './health.js';
import type { ImportState } from './import.js';

export interface ContactsFacts {
  /** How many there are; not counted further than `countedTo`. */
  readonly contacts: number;
  readonly countedTo: number;
  /** Those that somebody has to say something about, or that run: newest first. */
  readonly open: readonly { readonly fileName: string | null; readonly state: ImportState }[];
  /** The newest that has ended. */
  readonly last: {
    readonly fileName: string | null;
    readonly imported: number;
    readonly updated: number;
    readonly rejected: number;
  } | null;
}

export interface ContactsPlate {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

const number = (n: number): string => n.toLocaleString('en-GB');
const named = (fileName: string | null): string => fileName ?? 'a file without a name';

/** How many are known, and whether a file waits for somebody: in one sentence, and what it rests on. */
export function contactsPlate(facts: ContactsFacts): ContactsPlate {
  const { open, last } = facts;
  const count = countWords(facts);
  const waiting = open.filter(({ state }) => state === 'mapping');
  const [first] = waiting;
  if (first) {
    const sentence =
      waiting.length === 1
        ? `${capital(named(first.fileName))} waits for you to say what its columns become.`
        : `${number(waiting.length)} files wait for you to say what their columns become.`;
    return { level: 'look', sentence, evidence: `Nothing of it is in yet. ${count}` };
  }
  const [running] = open;
  if (running)
    return {
      level: 'fine',
      sentence: `${capital(named(running.fileName))} is being imported.`,
      evidence: `${count} Nothing is mailed by an import.`,
    };
  return { level: 'fine', sentence: count, evidence: lastWords(last) };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function countWords({ contacts, countedTo }: ContactsFacts): string {
  if (contacts > countedTo) return `More than ${number(countedTo)} contacts.`;
  return contacts === 1 ? '1 contact.' : `${number(contacts)} contacts.`;
}

function lastWords(last: ContactsFacts['last']): string {
  if (!last) return 'Nothing was imported yet.';
  const { fileName, imported, updated, rejected } = last;
  return `The last file, ${named(fileName)}: imported ${number(imported)}, updated ${number(updated)}, left out ${number(rejected)}.`;
}
