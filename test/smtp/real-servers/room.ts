import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { OWNERS } from '../../../scripts/services/mail-servers.mjs';
import { freePorts } from '../../../scripts/services/ports.mjs';
import { end, launch, lastLines, run, whileAlive } from '../../../scripts/services/processes.mjs';
import { roomPrefix } from '../../../scripts/services/stale-rooms.mjs';
import { reason, until } from '../../../scripts/services/waiting.mjs';
import { PATIENCE_MS } from '../../patience.js';

const MOST_STARTS = 3;
const SILENCE_MS = 30_000;
const STOP_MS = 10_000;

interface Folder {
  readonly owner: keyof typeof OWNERS;
  readonly group?: keyof typeof OWNERS;
  readonly mode?: number;
}

/** What is to be known of a mail server in order to start it. */
export interface Recipe {
  /** Of the variable that names the directory it was unpacked into. */
  readonly variable: string;
  readonly folders: Readonly<Record<string, Folder>>;
  /** Its settings: two ports, of which only the second offers CHUNKING, if it has it. */
  files(ports: readonly [number, number]): Readonly<Record<string, string>>;
  /** Runs in the foreground. */
  readonly command: readonly [string, ...string[]];
  /** Where it writes what it did, beside its output. */
  readonly log?: string;
  /** What its log says when a client does not keep to the protocol. */
  readonly complaint: RegExp;
  /** Something that it complains about, written in one piece. */
  readonly nuisance: string;
  /** What its log says of mail that came by DATA, and by BDAT if it has it. */
  readonly byData: RegExp;
  readonly byBdat?: RegExp;
}

export interface RealServer {
  readonly ports: readonly [number, number];
  /** What is in the mailbox: every mail, with lines that end as on the wire. */
  stored(): Promise<string[]>;
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Where all of them deliver to, as a Maildir. */
export const MAILBOX = '/var/mail/box';

/** A server with a root directory of its own, which is gone with it. */
export async function startRealServer(recipe: Recipe): Promise<RealServer> {
  for (let start = 1; ; start += 1) {
    const [plain = 0, chunking = 0] = await freePorts(2);
    try {
      return await startOn([plain, chunking], recipe);
    } catch (error) {
      // Another process may have taken a port first.
      if (start === MOST_STARTS) throw error;
    }
  }
}

async function startOn(ports: readonly [number, number], recipe: Recipe): Promise<RealServer> {
  const source = process.env[recipe.variable];
  if (!source) throw new Error(`${recipe.variable} is not set: "npm test" does so, and says why it can't`);
  const parent = await mkdtemp(roomPrefix(dirname(source)));
  const room = join(parent, 'root');
  const logs = [join(parent, 'output'), ...(recipe.log === undefined ? [] : [join(room, recipe.log)])];
  const log = async (): Promise<string> =>
    (await Promise.all(logs.map((file) => readFile(file, 'utf8').catch(() => '')))).join('');
  const remove = () => rm(parent, { recursive: true, force: true, maxRetries: 3 });
  let stop = remove;
  try {
    await chmod(parent, 0o755);
    // Links instead of copies: what is unpacked is never written to.
    await run('cp', ['-al', source, room], { timeoutMs: PATIENCE_MS });
    await furnish(room, recipe, ports);
    const [program, ...args] = recipe.command;
    const output = join(parent, 'output');
    const daemon = await launch('chroot', [room, program, ...args], { cwd: room, logFile: output });
    stop = async () => {
      await end(daemon.pid, ['SIGTERM', 'SIGKILL'], STOP_MS);
      endGroup(daemon.pid);
      await remove();
    };
    const ready = () => whileAlive(daemon, () => Promise.all(ports.map((port) => blurt(port, 'QUIT\r\n'))));
    await until(`${program} on ports ${ports.join(', ')}`, ready, { timeoutMs: PATIENCE_MS });
    return { ports, stored: () => mailsIn(join(room, MAILBOX, 'new')), log, stop };
  } catch (error) {
    const said = lastLines(await log());
    await stop();
    throw new Error(`${reason(error)}; its log ends:\n${said}`, { cause: error });
  }
}

async function furnish(room: string, recipe: Recipe, ports: readonly [number, number]): Promise<void> {
  const mailbox = join(room, MAILBOX);
  for (const path of [mailbox, ...['new', 'cur', 'tmp'].map((name) => join(mailbox, name))]) {
    await mkdir(path);
    await chown(path, OWNERS.box, OWNERS.box);
  }
  for (const [path, { owner, group = owner, mode = 0o700 }] of Object.entries(recipe.folders)) {
    await mkdir(join(room, path), { recursive: true });
    await chown(join(room, path), OWNERS[owner], OWNERS[group]);
    await chmod(join(room, path), mode);
  }
  for (const [path, text] of Object.entries(recipe.files(ports))) {
    await mkdir(dirname(join(room, path)), { recursive: true });
    // Written through, a link would change what was unpacked.
    await rm(join(room, path), { force: true });
    await writeFile(join(room, path), text);
  }
}

async function mailsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')));
  return texts.map((text) => text.replaceAll('\n', '\r\n'));
}

/** Waits to be greeted, writes all of this at once, and waits until the server hangs up. */
export function blurt(port: number, commands: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let greeted = false;
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('it says nothing')));
    socket.once('error', reject);
    socket.on('data', () => {
      if (!greeted) socket.write(commands);
      greeted = true;
    });
    socket.once('close', () => {
      if (greeted) resolve();
      else reject(new Error('it hung up without a greeting'));
    });
  });
}

/** What a daemon may have left of the processes it began. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // none is left
  }
}
