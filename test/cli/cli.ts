import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/pillarbox.js', import.meta.url));
const PATIENCE_MS = 25_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as an operator has it: a process of its own, and only the settings that are given here. */
export class Cli {
  readonly #running = new Set<Running>();

  constructor(private readonly env: Readonly<Record<string, string>>) {}

  with(more: Readonly<Record<string, string>>): Cli {
    return new Cli({ ...this.env, ...more });
  }

  run(args: readonly string[], input = ''): Promise<Ended> {
    const running = this.start(args);
    running.type(input);
    return running.ended;
  }

  /** Data as JSON: the command must succeed, and print one document and nothing else. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  start(args: readonly string[], patienceMs = PATIENCE_MS): Running {
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: { PATH, HOME, ...this.env } });
    const running = new Running(args, child, patienceMs);
    this.#running.add(running);
    void running.ended.finally(() => this.#running.delete(running));
    return running;
  }

  /** Ends what a failed test has left running. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.kill()));
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
    patienceMs = PATIENCE_MS,
  ) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#onText();
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#onText();
    });
    const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(impatience);
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
