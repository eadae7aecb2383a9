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
  readonly encoding: string;
  readonly columns: number;
  /** Columns that were known by their name. */
  readonly recognised: number;
  /** What its people are put into. */
  readonly campaign: { readonly name: string } | null;
  readonly enrolled: number;
  readonly notEnrolled: number;
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
  return {
    level: levelOf(standing),
    sentence: `${sentenceOf(standing)}${enrolmentWords(standing)}`,
    evidence: evidenceOf(standing),
  };
}

function evidenceOf({
  state,
  fileName,
  bytes,
  encoding,
  columns,
  recognised,
  campaign,
}: ImportStanding): string {
  const file = `${fileName ?? 'A file'}, ${sizeOf(bytes)}`;
  if (state === 'mapping')
    return `${file}, ${encoding.toUpperCase()}, ${columns === 1 ? '1 column' : `${number(columns)} columns`}. ${knownWords(columns, recognised)} Nothing of it is in yet.`;
  const mailed = campaign
    ? `Its people are put into ${campaign.name}, which says what they get.`
    : 'Nothing is mailed by an import.';
  return `${file}. ${mailed}${state === 'running' ? ' It goes on without this page.' : ''}`;
}

const knownWords = (columns: number, recognised: number): string => {
  if (recognised === 0) return 'None was recognised by its name.';
  if (recognised === columns) return 'Recognised by name.';
  return `${number(recognised)} ${recognised === 1 ? 'was' : 'were'} recognised by name.`;
};

const people = (n: number): string => (n === 1 ? '1 person' : `${number(n)} people`);

/** What became of the way into a campaign. */
function enrolmentWords({ state, campaign, enrolled, notEnrolled }: ImportStanding): string {
  if (!campaign || state === 'mapping') return '';
  if (enrolled === 0 && notEnrolled > 0) return ` Nobody was put into ${campaign.name}: it was stopped.`;
  const put =
    enrolled > 0 || state !== 'running'
      ? ` ${people(enrolled)} ${enrolled === 1 ? 'was' : 'were'} put into ${campaign.name}.`
      : '';
  return notEnrolled === 0
    ? put
    : `${put} ${people(notEnrolled)} ${notEnrolled === 1 ? 'was' : 'were'} not: it was stopped.`;
}

const levelOf = ({ state, rejected, notEnrolled }: ImportStanding): ImportPlate['level'] => {
  const looked = state === 'mapping' || state === 'stopped' || rejected > 0 || notEnrolled > 0;
  return looked ? 'look' : 'fine';
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
