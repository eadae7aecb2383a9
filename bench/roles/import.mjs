// @ts-check
import { Readable } from 'node:stream';
import { createPillarbox } from '../../dist/index.js';
import { log } from '../contenders/pillarbox.mjs';
import { timed } from '../figures.mjs';
import { mostResident } from '../resident.mjs';

const LINES_AT_ONCE = 500;

/** @param {number} rows */
function* file(rows) {
  yield 'Email,Name,TimeZone,Company,City\n';
  for (let from = 0; from < rows; from += LINES_AT_ONCE) {
    let piece = '';
    for (let n = from; n < Math.min(rows, from + LINES_AT_ONCE); n += 1)
      piece += `person.${n}@example.test,"Person ${n}, Esq.",Europe/Oslo,Company & Sons ${n % 997},Bergen\n`;
    yield piece;
  }
}

/**
 * A whole file, from its first byte to its last contact.
 *
 * @param {{ url: string, rows: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, rows }, parent) {
  const box = await createPillarbox({ databaseUrl: url, log });
  const cost = await timed(async () => {
    const bytes = Readable.from(file(rows), { objectMode: false });
    const { imported, rejected } = await box.contacts.import(bytes);
    if (imported !== rows || rejected.length > 0) throw new Error(`imported ${imported} of ${rows} rows`);
  });
  await box.stop();
  const { seconds, cpuMicroseconds } = cost;
  parent.tell({
    ...{ kind: 'result', perSecond: rows / seconds, cpuMicroseconds: cpuMicroseconds / rows },
    peak: mostResident(),
  });
}
