import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classifyHttp, classifyLocal, classifyNamed, classifySmtp, type Verdict } from './index.js';
import type { HttpSample } from './http-rule.js';
import { HTTP_RULES } from './http.js';
import { LOCAL_RULES, type LocalFault } from './local-rules.js';
import { NAMED_RULES } from './named.js';
import type { Rule } from './rules.js';
import type { SmtpSample } from './smtp-rule.js';
import { holdsFor, SMTP_RULES, type SmtpReply } from './smtp.js';

/** One table of rules, with its samples both judged and put into words. */
interface Table {
  title: string;
  rules: readonly (Omit<Rule<unknown, unknown>, 'samples' | 'when'> & {
    samples: readonly { verdict: Verdict; words: string }[];
  })[];
}

function table<When, Sample>(
  title: string,
  rules: readonly Rule<When, Sample>[],
  judge: (sample: Sample) => Verdict,
  describeSample: (sample: Sample) => string,
): Table {
  return {
    title,
    rules: rules.map((rule) => ({
      ...rule,
      samples: rule.samples.map((sample) => ({ verdict: judge(sample), words: describeSample(sample) })),
    })),
  };
}

const NOW = Date.parse('2026-10-03T09:00:00Z');

const replyOf = ([phase, reply]: SmtpSample): SmtpReply => ({
  phase,
  code: Number(reply.slice(0, 3)),
  text: reply.slice(4),
});

const judgeHttp = ({ provider, status, body, headers, idempotent }: HttpSample): Verdict =>
  classifyHttp({ provider, status, body, headers: headers ?? {}, idempotent: idempotent ?? false, now: NOW });

const describeLocal = ({ code, phase, gatePassed, idempotent }: LocalFault): string =>
  [
    phase === undefined ? code : `${phase}: ${code}`,
    gatePassed ? ', after the gate' : '',
    idempotent === true ? ', with a key' : '',
  ].join('');

const describeHttp = ({ provider, status, body, headers, idempotent }: HttpSample): string =>
  [
    `${provider}: ${String(status)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)]),
    ...(idempotent === true ? ['(may be repeated)'] : []),
  ].join(' ');

const TABLES: readonly Table[] = [
  table(
    'SMTP replies',
    SMTP_RULES,
    (sample) => classifySmtp(replyOf(sample)),
    ([phase, reply]) => `${phase}: ${reply}`,
  ),
  table('Sockets, name servers, TLS, this machine', LOCAL_RULES, classifyLocal, describeLocal),
  table('HTTP providers', HTTP_RULES, judgeHttp, describeHttp),
  table('Errors by name', NAMED_RULES, classifyNamed, (name) => name),
];

describe.each(TABLES)('$title', ({ rules }) => {
  test.each(rules)('$name is won by its own samples, in the whole table', ({ name, samples }) => {
    for (const { verdict, words } of samples)
      expect(`${verdict.rule} <- ${words}`).toBe(`${name} <- ${words}`);
  });

  test('names are given once', () => {
    const names = rules.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('no rule that ends a message asks for a wait', () => {
    const ends = rules.filter((rule) => rule.class === 'permanent' || rule.class === 'recipient');
    expect(ends.filter((rule) => rule.minimumWaitSeconds !== undefined)).toEqual([]);
  });

  test('the class recipient always has the scope recipient, and the class account the scope account', () => {
    for (const rule of rules) {
      if (rule.class === 'recipient' || rule.class === 'account')
        expect([rule.name, rule.scope]).toEqual([rule.name, rule.class]);
    }
  });
});

test('a rule that blames a recipient is bound to the phases that come after one was named', () => {
  const loose = SMTP_RULES.filter(
    ({ scope, when }) =>
      scope === 'recipient' &&
      !when.every(({ phases }) => phases?.every((phase) => phase === 'rcpt' || phase === 'reply')),
  );
  expect(loose.map(({ name }) => name)).toEqual([]);
});

test.each(SMTP_RULES)('every alternative of $name is earned by a sample', ({ when, samples }) => {
  const idle = when.filter((condition) => !samples.some((sample) => holdsFor(condition, replyOf(sample))));
  expect(idle).toEqual([]);
});

test('of all account faults only a sign-in that is out of order for now ends by itself', () => {
  const rests = TABLES.flatMap(({ rules }) => rules).filter(
    (rule) => rule.class === 'account' && rule.minimumWaitSeconds !== undefined,
  );
  expect(rests.map(({ name }) => name)).toEqual(['sign-in-unavailable']);
});

const DOCUMENT = new URL('../../../docs/classification.md', import.meta.url);

test('docs/classification.md shows the table as it is', () => {
  const wanted = render(TABLES);
  if (process.env['UPDATE_DOCS'] === '1') {
    mkdirSync(new URL('.', DOCUMENT), { recursive: true });
    writeFileSync(DOCUMENT, wanted);
  }
  expect(
    readFileSync(DOCUMENT, 'utf8'),
    'docs/classification.md is generated: run UPDATE_DOCS=1 npx vitest run src/core/classify',
  ).toBe(wanted);
});

function render(tables: readonly Table[]): string {
  return [
    '# What each failure means',
    '',
    '<!-- Generated from src/core/classify: UPDATE_DOCS=1 npx vitest run src/core/classify -->',
    '',
    'The class decides what becomes of the message: `retryable` is tried again, `rate_limited` waits without using up a',
    'try, `permanent` ends the message, `recipient` ends it and suppresses the address, `account` pauses the account',
    'while its messages wait (with a wait: lets it rest), `in_doubt` may have left. The scope says whom the failure',
    'speaks of, the wait is the least before another try; a longer one that the server asks for wins. In each table',
    'the first rule that matches wins.',
    '',
    '<!-- prettier-ignore-start -->',
    ...tables.flatMap(renderTable),
    '',
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n');
}

function renderTable({ title, rules }: Table): string[] {
  return [
    '',
    `## ${title}`,
    '',
    '| sample | class | scope | minimum wait | why |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map((rule) =>
      [
        '',
        rule.samples.map(({ words }) => code(words)).join('<br>'),
        rule.class,
        rule.scope,
        wait(rule.minimumWaitSeconds),
        [...marks(rule), rule.why ?? '']
          .filter((part) => part !== '')
          .join(' ')
          .replaceAll('|', '\\|'),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ];
}

const marks = (rule: Table['rules'][number]): string[] => [
  `\`${rule.name}\`.`,
  ...(rule.softBounce === true ? ['Counts against the address.'] : []),
  ...(rule.lowerConcurrency === true ? ['One connection less.'] : []),
  ...(rule.attempted === false ? ['Not an attempt.'] : []),
];

/** A sample may hold backticks and pipes; neither may end its cell. */
const code = (words: string): string =>
  (words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``).replaceAll('|', '\\|');

function wait(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds % 3_600 === 0) return `${String(seconds / 3_600)} h`;
  return seconds % 60 === 0 ? `${String(seconds / 60)} min` : `${String(seconds)} s`;
}
