import { spawn, type ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { run } from '#pillarbox/cli/main';
import type { FreshDatabase } from '../databases.js';

const PROGRAM = fileURLToPath(new URL('../../bin/pillarbox.js', import.meta.url));

type Settings = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The command line as an operator has it, with only the settings that are given here. What looks or decides and is gone
 * is `run` in this process, which saves the start of one; what stays, hears signals or is one of many is a process of
 * its own: `start`.
 */
export class Cli {
  constructor(
    private readonly env: Settings | (() => Settings),
    private readonly running = new Set<Running>(),
    /** What `start` starts: the one that was built, run by this Node. */
    private readonly program: readonly [string, string] = [process.execPath, PROGRAM],
  ) {}

  with(more: Settings): Cli {
    return new Cli(() => ({ ...this.#env(), ...more }), this.running, this.program);
  }

  get databaseUrl(): string {
    return this.#env()['DATABASE_URL'] ?? '';
  }

  async run(args: readonly string[], input = ''): Promise<Ended> {
    const stdout = new Kept();
    const stderr = new Kept();
    const stdin = Readable.from([input]);
    const code = await run(args, { env: this.#settings(), stdin, stdout, stderr });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  }

  /** As `run`, in a process of its own. */
  runAlone(args: readonly string[], input = ''): Promise<Ended> {
    const running = this.start(args);
    running.type(input);
    return running.ended;
  }

  /** Data as JSON: the command must succeed, and print one document and nothing else. */
  async json<T>(...args: string[]): Promise<T> {
    return documentIn(await this.run([...args, '--json'])) as T;
  }

  start(args: readonly string[]): Running {
    const [node, program] = this.program;
    const child = spawn(node, [program, ...args], { env: this.#settings() });
    const running = new Running(args, child);
    this.running.add(running);
    void running.ended.finally(() => this.running.delete(running));
    return running;
  }

  /** Ends what a failed test has left running, here or with other settings. */
  async close(): Promise<void> {
    await Promise.all([...this.running].map((running) => running.kill()));
  }

  #settings(): Record<string, string> {
    const { PATH = '', HOME = '/' } = process.env;
    // What zones the machine has must not show in what is said.
    const TZDIR = '/nowhere';
    return { PATH, HOME, TZDIR, ...this.#env() };
  }

  #env(): Settings {
    return typeof this.env === 'function' ? this.env() : this.env;
  }
}

/** For a `describe`: one for each test, on a database of its own. */
export function useCli(make: () => Promise<FreshDatabase>, settings: Settings = {}): Cli {
  let database: FreshDatabase;
  const cli = new Cli(() => ({ DATABASE_URL: database.url, ...settings }));
  beforeEach(async () => {
    database = await make();
  });
  afterEach(async () => {
    await cli.close();
    await database.drop();
  });
  return cli;
}

export function documentIn({ code, stdout, stderr }: Ended): unknown {
  if (code !== 0) throw new Error(`ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}

class Kept {
  readonly #chunks: Buffer[] = [];

  write(data: string | Uint8Array): void {
    this.#chunks.push(Buffer.from(data));
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** One command while it runs. */
export class Running {
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  #over = false;
  #onText: () => void = () => undefined;

  constructor(
    private readonly args: readonly string[],
    private readonly child: ChildProcess,
  ) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#onText();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#onText();
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#over = true;
        this.#onText();
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** All of its standard input. */
  type(input: string): void {
    // A command that does not read may be gone before it could have.
    this.child.stdin!.on('error', () => undefined).end(input);
  }

  /** Waits until it has said something that matches, on either output. */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      const text = this.#stdout + this.#stderr;
      if (pattern.test(text)) return text;
      if (this.#over)
        throw new Error(`${this.args.join(' ')} ended without saying ${pattern.source}: ${text}`);
      await new Promise<void>((resolve) => {
        this.#onText = resolve;
      });
    }
  }

  /** As `head` does when it has enough. */
  stopReading(): void {
    this.child.stdout!.destroy();
  }

  tell(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
