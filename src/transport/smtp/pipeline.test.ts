import { describe, expect, test } from 'vitest';

import type { Command } from './envelope.js';
import { MailTransaction } from './mail-transaction.js';
import { Pipeline } from './pipeline.js';
import type { Reply } from './reply.js';
import type { End, Failure } from './report.js';

/** A mail as the model sees it. */
interface Mail {
  readonly name: string;
  readonly chunked: boolean;
  readonly transaction: MailTransaction;
  end?: End;
}

const CUT: Failure = { phase: 'reply', code: 'ECLOSED' };
const reply = (code: number): Reply => ({ code, lines: [''] });
const leftWhenCut = (mayHaveLeft: boolean): 'no' | 'unknown' => (mayHaveLeft ? 'unknown' : 'no');
const mailOf = (name: string, chunked: boolean, together = 99): Mail => {
  const commands: Command[] = [
    { phase: 'mail', line: `MAIL ${name}` },
    { phase: 'rcpt', line: `RCPT ${name}`, address: name },
    chunked ? { phase: 'bdat', line: `BDAT ${name}` } : { phase: 'data', line: 'DATA' },
  ];
  return { name, chunked, transaction: new MailTransaction(commands, 'all', together) };
};

/**
 * A server that answers each command as the list says, in order, and really does what it says: it takes a mail if
 * it says 2yz to its end, or, if the line is cut before that answer is heard, if `takes` says so.
 */
class ModelServer {
  readonly taken: string[] = [];
  readonly #asked: { readonly mail: Mail; readonly what: 'command' | 'data' | 'end' }[] = [];
  readonly #refused = new Set<Mail>();

  hears(mail: Mail, text: string): void {
    for (const line of text.split('\r\n').filter(Boolean)) {
      const what = line === 'DATA' ? 'data' : line.startsWith('BDAT') ? 'end' : 'command';
      this.#asked.push({ mail, what });
    }
  }

  hearsDot(mail: Mail): void {
    this.#asked.push({ mail, what: 'end' });
  }

  get owes(): number {
    return this.#asked.length;
  }

  /** What it does with the next thing that it was asked, when it says this. */
  says(code: number): void {
    const next = this.#asked.shift();
    if (!next) return;
    const { mail, what } = next;
    if (what === 'end' && code < 300 && !this.#refused.has(mail)) this.taken.push(mail.name);
    if (what === 'command' && code >= 400) this.#refused.add(mail);
  }

  /** The line is gone; what it had got the end of it may take or not. */
  dies(takes: boolean): void {
    const ends = this.#asked.filter(({ what, mail }) => what === 'end' && !this.#refused.has(mail));
    if (takes && ends[0]) this.taken.push(ends[0].mail.name);
  }
}

/** Plays a whole dialogue by the rules of the connection, with these answers, and cuts the line after the last. */
function play(plan: readonly boolean[], codes: readonly number[], takes: boolean, inTheAir = 1): Mail[] {
  const pipeline = new Pipeline<Mail>();
  const server = new ModelServer();
  const mails = plan.map((chunked, i) => mailOf(`m${i}`, chunked));
  const waiting = [...mails];
  const line = { alive: true };

  const write = (): void => {
    while (waiting[0] && pipeline.isOpen) {
      const [mail] = waiting;
      if (mail.chunked && pipeline.inTheAir.length >= inTheAir) return;
      waiting.shift();
      if (mail !== mails[0]) mail.transaction.resetFirst();
      pipeline.add(mail);
      server.hears(mail, mail.transaction.opening);
    }
  };
  const finish = (failure: Failure, cause: Mail | undefined): void => {
    line.alive = false;
    for (const { mail, end } of pipeline.cut(failure, cause, leftWhenCut)) mail.end = end;
  };

  write();
  for (const code of codes) {
    if (!line.alive || server.owes === 0) break;
    server.says(code);
    const consequence = pipeline.take(reply(code));
    if (!consequence.of) {
      finish(consequence.failure, undefined);
      break;
    }
    const { of: mail, step } = consequence;
    switch (step.do) {
      case 'go':
        // Its gate passes, and the next goes behind its dot.
        mail.transaction.endBody();
        server.hearsDot(mail);
        write();
        break;
      case 'write':
        server.hears(mail, step.line);
        break;
      case 'over':
        if (mail.end) throw new Error(`${mail.name} has two ends`);
        mail.end = step.end;
        write();
        break;
      case 'doubt':
        finish(step.failure, mail);
        break;
      case 'drop':
      case 'decline':
      case 'unchunk':
        pipeline.remove(mail);
        mail.end = { left: 'no', ...step.failure };
        finish(step.failure, undefined);
        break;
      case 'wait':
        break;
    }
  }
  if (line.alive) {
    server.dies(takes);
    finish(CUT, pipeline.first);
  } else if (takes) {
    server.dies(true);
  }
  judge(mails, server.taken, codes);
  return mails;
}

/** Each mail's own verdict against what the server really did. */
function judge(mails: readonly Mail[], taken: readonly string[], codes: readonly number[]): void {
  for (const { name, end } of mails) {
    const copies = taken.filter((each) => each === name).length;
    const left = end?.left ?? 'no';
    const isTrue = left === 'yes' ? copies === 1 : left === 'no' ? copies === 0 : copies <= 1;
    // Not by `expect`: it is asked half a million times.
    if (!isTrue)
      throw new Error(`${name}, answered ${codes.join(' ')}: ${JSON.stringify(end)}, taken ${copies} times`);
  }
}

/** All lists of this length. */
function* allOf(items: readonly number[], length: number): Generator<number[], void> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const first of items) for (const rest of allOf(items, length - 1)) yield [first, ...rest];
}

/** What decides differently: yes, later, no, invited, closing. */
const CODES = [250, 450, 550, 354, 421];

describe('two mails on a connection, whatever is answered and wherever the line is cut', () => {
  // MAIL RCPT DATA dot, RSET MAIL RCPT DATA dot: nine answers.
  const GOOD = [250, 250, 354, 250, 250, 250, 250, 354, 250];

  test('each has an end of its own, and it is true: every list of up to six answers', () => {
    const seen = new Set<string>();
    for (let length = 0; length <= 6; length += 1) {
      for (const codes of allOf(CODES, length)) {
        for (const takes of [true, false]) {
          const [first, second] = play([false, false], codes, takes);
          seen.add(`${first?.end?.left} ${second?.end?.left}`);
        }
      }
    }
    expect([...seen].toSorted()).toEqual(['no no', 'no undefined', 'unknown no', 'yes no'].toSorted());
  });

  test('also when one, two or three of the nine answers of a good dialogue are others', () => {
    const seen = new Set<string>();
    const others = [250, 450, 354, 421, 220, 503];
    for (let a = 0; a < GOOD.length; a += 1) {
      for (let b = a; b < GOOD.length; b += 1) {
        for (let c = b; c < GOOD.length; c += 1) {
          for (const [x = 0, y = 0, z = 0] of allOf(others, 3)) {
            const codes = [...GOOD];
            codes[a] = x;
            codes[b] = y;
            codes[c] = z;
            const [first, second] = play([false, false], codes, x === 250);
            seen.add(`${first?.end?.left} ${second?.end?.left}`);
          }
        }
      }
    }
    for (const each of ['yes yes', 'yes no', 'yes unknown', 'no yes', 'no no', 'unknown no'])
      expect(seen).toContain(each);
  });

  test('cut after each answer of a good dialogue', () => {
    const ends = GOOD.map((_, after) =>
      play([false, false], GOOD.slice(0, after), true)
        .map(({ end }) => end?.left ?? 'waits')
        .join(' '),
    );
    expect(ends).toEqual([
      ...['no waits', 'no waits', 'no waits'],
      'unknown no',
      ...['yes no', 'yes no', 'yes no', 'yes no'],
      'yes unknown',
    ]);
  });

  test('421 to the end of the first ends the connection, and the second did not leave', () => {
    const [first, second] = play([false, false], [250, 250, 354, 421], false);
    expect(first?.end).toMatchObject({ left: 'no', phase: 'reply', reply: { code: 421 } });
    expect(second?.end).toMatchObject({ left: 'no', phase: 'envelope', code: 'ECLOSED' });
  });

  test('a second that is refused and invited all the same is not written', () => {
    const [first, second] = play([false, false], [250, 250, 354, 250, 250, 250, 550, 354, 250], false);
    expect(first?.end).toMatchObject({ left: 'yes' });
    expect(second?.end).toMatchObject({ left: 'no', phase: 'rcpt', reply: { code: 550 } });
  });
});

describe('mails that travel with their envelopes, up to four in the air', () => {
  test('each has an end of its own, and it is true: every list of up to eight answers', () => {
    const seen = new Set<string>();
    for (let length = 0; length <= 8; length += 1) {
      for (const codes of allOf([250, 550, 354, 421], length)) {
        const mails = play([true, true, true], codes, true, 4);
        seen.add(mails.map(({ end }) => end?.left).join(' '));
      }
    }
    expect(seen).toContain('yes unknown unknown');
    expect(seen).toContain('no yes unknown');
    expect(seen).toContain('no no unknown');
  });

  test('all that are in the air are in doubt when the line breaks, and no other', () => {
    const ends = play([true, true, true, true, true, true], [250, 250, 250], true, 4).map(
      ({ end }) => end?.left,
    );
    expect(ends).toEqual(['yes', 'unknown', 'unknown', 'unknown', 'unknown', undefined]);
  });

  test('behind one that is invited first, and before it', () => {
    for (const plan of [
      [true, false, true],
      [false, true, false],
      [false, true, true],
    ]) {
      for (let length = 0; length <= 7; length += 1)
        for (const codes of allOf([250, 550, 354, 421], length)) play(plan, codes, length % 2 === 0, 2);
    }
  });
});

test('a mail is never written into the middle of another', () => {
  const pipeline = new Pipeline<Mail>();
  pipeline.add(mailOf('a', false));
  expect(pipeline.isOpen).toBe(false);
  expect(() => pipeline.add(mailOf('b', false))).toThrow('middle');
});
