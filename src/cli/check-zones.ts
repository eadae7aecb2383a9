import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './finding.js';

/** Where systems keep their zones, unless TZDIR says otherwise. */
const USUAL_DIRECTORY = '/usr/share/zoneinfo';

/** Windows follow Node's zones; people look at the system's clock, which may know of a change that Node does not. */
export async function checkZones(
  { TZDIR: directory = USUAL_DIRECTORY }: Readonly<Record<string, string | undefined>>,
  ofNode: string | undefined,
): Promise<Finding> {
  const what = 'time zones';
  // A Node that was built with the system's own ICU need not say.
  if (ofNode === undefined) return { what, level: 'fine', text: 'Node does not say of when they are' };
  const ofSystem = await systemZones(directory);
  const same = ofSystem === undefined || ofSystem === ofNode;
  if (same) return { what, level: 'fine', text: `as of ${ofNode}` };
  const differ = `Node has those of ${ofNode}, the system those of ${ofSystem}`;
  // A year and a letter: the order of words is that of time.
  return ofNode < ofSystem
    ? { what, level: 'look', text: `${differ}. Windows follow Node's: update Node` }
    : { what, level: 'fine', text: `${differ}. Windows follow Node's, which are newer` };
}

/** Undefined: it has none, or none that say of when they are. */
async function systemZones(directory: string): Promise<string | undefined> {
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const source = /^# version (\d{4}\w*)/.exec(await read('tzdata.zi'));
  return source?.[1] ?? /^\d{4}\w*/.exec(await read('+VERSION'))?.[0];
}
