import { Resolver } from 'node:dns/promises';
import type { DkimView } from '../access/sealed-dkim.js';
import { dmarcNames, judgeRecords, type RecordFinding, type TxtAnswer } from '../core/sender-records.js';

/** As `resolveTxt` of `node:dns/promises`: a record is one or more strings. */
export type TxtResolver = (name: string) => Promise<readonly (readonly string[])[]>;

/** Someone waits for the answer, and it is beside the point that he asked about. */
const PATIENCE_MS = 3_000;
const MOST_RECORDS = 50;
const LONGEST_RECORD = 4_000;
/** RFC 6761 and 6762: names that no receiver looks up. */
const NOBODY_ASKS = /(?:^|\.)(?:test|invalid|localhost|local|internal)$/;
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

const system: TxtResolver = (name) => new Resolver({ timeout: PATIENCE_MS, tries: 1 }).resolveTxt(name);

/** What receivers find out about a sender. Nothing for an address that only this machine knows. */
export async function readSenderRecords(
  domain: string,
  dkim: DkimView | null,
  resolve: TxtResolver = system,
): Promise<readonly RecordFinding[]> {
  if (!domain.includes('.') || NOBODY_ASKS.test(domain)) return [];
  const ask = (name: string) => txtOf(resolve, name);
  const [spf, signature, dmarc] = await Promise.all([
    ask(domain),
    dkim ? ask(dkim.record.name) : undefined,
    Promise.all(dmarcNames(domain).map(async (name) => ({ name, answer: await ask(name) }))),
  ]);
  return judgeRecords({
    ...{ domain, spf, dmarc },
    dkim: dkim && signature !== undefined ? { ...dkim, answer: signature } : null,
  });
}

async function txtOf(resolve: TxtResolver, name: string): Promise<TxtAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'unanswered'>((done) => {
    timer = setTimeout(() => done('unanswered'), PATIENCE_MS);
  });
  const asked = resolve(name).then(
    (records) => records.slice(0, MOST_RECORDS).map((strings) => strings.join('').slice(0, LONGEST_RECORD)),
    (error: unknown) =>
      NOTHING_THERE.has((error as { code?: string }).code ?? '') ? [] : ('unanswered' as const),
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
