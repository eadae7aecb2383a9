import type { ImportState } from './import.js';

export interface ImportStanding {
  readonly state: ImportState;
  readonly fileName: string | null;
  readonly bytes: number;
  readonly lines: number;
  readonly done: number;
  readonly imported: number;
  readonly updated: number;
  readonly rejected: number;
  readonly etaSeconds: number | null;
}

export interface ImportPlate {
  readonly level: 'fine' | 'look' | 'act';
  readonly sentence: string;
  readonly evidence: string;
}

const number = (n: number): string => n.toLocaleString('en-US');
const lines = (n: number): string => (n === 1 ? '1 line' : `${number(n)} lines`);
const are = (n: number): string => (n === 1 ? 'is' : 'are');

/** How an import stands, in one sentence. */
export function importPlate(standing: ImportStanding): ImportPlate {
  const { state, fileName, bytes } = standing;
  const file = fileName ?? 'A file';
  const evidence = `${file}, ${sizeOf(bytes)}. Nothing is mailed by an import.`;
  return {
    level: levelOf(standing),
    sentence: sentenceOf(standing),
    evidence: state === 'running' ? `${evidence} It goes on without this page.` : evidence,
  };
}

const levelOf = ({ state, rejected }: ImportStanding): ImportPlate['level'] => {
  return state === 'mapping' || state === 'stopped' || rejected > 0 ? 'look' : 'fine';
};

function sentenceOf({
  state,
  lines: all,
  done,
  imported,
  updated,
  rejected,
  etaSeconds,
}: ImportStanding): string {
  const left = rejected === 0 ? '' : `, ${number(rejected)} ${are(rejected)} left out`;
  if (state === 'mapping') return `Say what its columns become. Then ${lines(all)} can be imported.`;
  if (state === 'running')
    return `${number(done)} of ${lines(all)} ${are(done)} in${left}. ${etaSeconds === null ? '' : `About ${number(etaSeconds)} s left.`}`.trim();
  const result = `Imported ${number(imported)}, updated ${number(updated)}, left out ${number(rejected)}.`;
  return state === 'stopped' ? `Stopped after ${number(done)} of ${lines(all)}. ${result}` : result;
}

const sizeOf = (bytes: number): string => {
  if (bytes < 1_000) return `${number(bytes)} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};

/** How long the rest takes at the pace so far. */
export function etaOf(
  {
    startedAt,
    done,
    lines: all,
    state,
  }: { startedAt: number | null; done: number; lines: number; state: ImportState },
  now: number,
): number | null {
  if (state !== 'running') return state === 'done' ? 0 : null;
  if (startedAt === null || done === 0 || now <= startedAt) return null;
  return Math.ceil((((now - startedAt) / done) * (all - done)) / 1_000);
}
