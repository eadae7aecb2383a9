/** What DNS says under one name: its TXT records, or nothing that can be relied on. */
export type TxtAnswer = readonly string[] | 'unanswered';

export interface SenderRecords {
  /** Of the address that mail comes from. */
  readonly domain: string;
  readonly spf: TxtAnswer;
  /** Of the domain, then of those above it. */
  readonly dmarc: readonly { readonly name: string; readonly answer: TxtAnswer }[];
  /** Null: nothing is signed here. */
  readonly dkim: {
    readonly domain: string;
    readonly record: { readonly name: string; readonly value: string };
    readonly answer: TxtAnswer;
  } | null;
}

export interface RecordFinding {
  readonly kind: 'spf' | 'dkim' | 'dmarc';
  readonly level: 'fine' | 'look' | 'act';
  readonly sentence: string;
}

/** Published by strangers, and repeated to people. */
const LONGEST_QUOTE = 200;
const DMARC_LABELS = 8;

/** Whether receivers can tell that mail of a domain is its own: what they will look up, and what they will find. */
export const judgeRecords = (records: SenderRecords): readonly RecordFinding[] => [
  judgeSpf(records),
  judgeDkim(records),
  judgeDmarc(records),
];

function judgeSpf({ domain, spf }: SenderRecords): RecordFinding {
  const kind = 'spf';
  if (spf === 'unanswered') return silent(kind, domain);
  const found = spf.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [only, second] = found;
  if (only === undefined)
    return {
      ...{ kind, level: 'look' },
      sentence: `${domain} does not say which servers send for it. Publish a TXT record: v=spf1 include:<your provider> ~all`,
    };
  if (second !== undefined)
    return {
      ...{ kind, level: 'act' },
      sentence: `${domain} has ${String(found.length)} SPF records, which receivers take for none. Make one of them.`,
    };
  if (/ \+?all(?: |$)/i.test(only))
    return { kind, level: 'act', sentence: `${domain} lets everybody send for it: ${quote(only)}` };
  return { kind, level: 'fine', sentence: `${domain} says who sends for it: ${quote(only)}` };
}

function judgeDkim({ domain, dkim }: SenderRecords): RecordFinding {
  const kind = 'dkim';
  if (!dkim)
    return {
      ...{ kind, level: 'look' },
      sentence: 'Mail of this account is not signed here. That is well if its server signs it.',
    };
  const { name, value } = dkim.record;
  if (dkim.answer === 'unanswered') return silent(kind, name);
  const keys = dkim.answer.map(keyIn).filter((key) => key !== undefined);
  const publish = `Publish a TXT record for ${name}: ${value}`;
  if (keys.length === 0)
    return {
      ...{ kind, level: 'act' },
      sentence: `${name} is not published, so nobody can check our signature. ${publish}`,
    };
  if (!keys.some((key) => key === keyIn(value)))
    return {
      ...{ kind, level: 'act' },
      sentence: `${name} has another key than ours, so every signature looks forged. ${publish}`,
    };
  if (!isAligned(dkim.domain, domain))
    return {
      ...{ kind, level: 'look' },
      sentence: `${name} is ours, but speaks for ${dkim.domain}, and the mail is from ${domain}: DMARC does not count it.`,
    };
  return { kind, level: 'fine', sentence: `${name} has the key that we sign with.` };
}

function judgeDmarc({ domain, dmarc }: SenderRecords): RecordFinding {
  const kind = 'dmarc';
  for (const { name, answer } of dmarc) {
    if (answer === 'unanswered') return silent(kind, name);
    const found = answer.filter((text) => /^v=DMARC1(?:;|\s|$)/i.test(text));
    const [only, second] = found;
    // RFC 7489: more than one is none, and nobody looks further up for it.
    if (second !== undefined)
      return {
        ...{ kind, level: 'act' },
        sentence: `${name} has ${String(found.length)} DMARC records, which receivers take for none. Keep one.`,
      };
    if (only !== undefined) {
      const policy = /;\s*p=(\w+)/i.exec(only)?.[1];
      if (policy === undefined)
        return { kind, level: 'act', sentence: `${name} names no policy (p=): ${quote(only)}` };
      return { kind, level: 'fine', sentence: `${name} asks receivers: p=${policy.toLowerCase()}.` };
    }
  }
  return {
    ...{ kind, level: 'look' },
    sentence: `${domain} has no DMARC record, which large receivers ask for. Publish a TXT record for _dmarc.${domain}: v=DMARC1; p=none`,
  };
}

/** The names under which a policy for this domain may stand: its own, then those above it. */
export function dmarcNames(domain: string): readonly string[] {
  const labels = domain.split('.').slice(-DMARC_LABELS);
  return labels.slice(0, -1).map((_, i) => `_dmarc.${labels.slice(i).join('.')}`);
}

/** Relaxed: one is the other, or lies below it. */
const isAligned = (a: string, b: string): boolean => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);

/** A record may have blanks in its key; an empty one means that it was withdrawn. */
function keyIn(record: string): string | undefined {
  const key = /(?:^|;)\s*p=([A-Za-z0-9+/= \t]+)/.exec(record)?.[1]?.replace(/\s/g, '');
  return key === '' ? undefined : key;
}

const silent = (kind: RecordFinding['kind'], name: string): RecordFinding => ({
  ...{ kind, level: 'look' },
  sentence: `DNS did not answer about ${name}; nothing is known.`,
});

const quote = (text: string): string =>
  text.replace(/[^ -~]/g, '?').slice(0, LONGEST_QUOTE) + (text.length > LONGEST_QUOTE ? '…' : '');
