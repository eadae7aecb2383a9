import { createHash, randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { classifyLocal, toSendError } from '../core/classify/index.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import type { SendError, SendReport } from '../core/report.js';
import { compose, toBytes } from '../mime/compose.js';
import type { Gate, LookupAnswer, Outgoing, Transport } from './transport.js';

export interface FileTransportOptions {
  /** Made if it is not there. One `.eml` a mail; Bcc is in none of them. */
  readonly directory: string;
}

const OPTIONS: OptionNames<FileTransportOptions> = { directory: true };
const PROVIDER = 'file';
const CAPACITY = 8;
/** What a crash left behind is older than any try that still goes on. */
const LEFT_BEHIND_MS = 24 * 3_600_000;
const UNFINISHED = /^\..+\.eml\.[0-9a-f]{12}$/;

/**
 * Mail into a directory, for development: each one whole or not at all. The rename is the last byte: before it
 * nothing has left, after it everything has, and whoever is in doubt can look. The same message is the same file,
 * however often it is tried.
 */
export function fileTransport(options: FileTransportOptions): Transport {
  knownOptions(options, OPTIONS);
  const { directory } = options;
  let made: Promise<void> | undefined;
  const ready = () => {
    made ??= makeDirectory(directory).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    kind: PROVIDER,
    capacity: CAPACITY,
    send: (message, gate) => send(directory, ready, message, gate),
    lookup: (message) => lookUp(directory, message),
    close: () => Promise.resolve(),
  };
}

async function send(
  directory: string,
  ready: () => Promise<void>,
  message: Outgoing,
  gate: Gate,
): Promise<SendReport> {
  const name = nameOf(message);
  // Of this try alone: a worker that lost its lease may still be writing its own.
  const unfinished = join(directory, `.${name}.${randomBytes(6).toString('hex')}`);
  let left = false;
  try {
    const bytes = toBytes(compose(message.mail, message));
    await ready();
    await writeDurably(unfinished, bytes);
    if (!(await opens(gate))) throw new GateShut();
    await rename(unfinished, join(directory, name));
    left = true;
    await syncDirectory(directory);
    return { status: 'sent', provider: PROVIDER, providerMessageId: name };
  } catch (error) {
    if (!left) await unlink(unfinished).catch(() => undefined);
    return failure(error, left);
  }
}

/** Whether mail could be put there: for verifying an account. Undefined: it could. */
export async function verifyDirectory({ directory }: FileTransportOptions): Promise<SendError | undefined> {
  try {
    await makeDirectory(directory);
    await access(directory, constants.W_OK);
    return undefined;
  } catch (error) {
    return errorOf(error, false);
  }
}

class GateShut extends Error {
  readonly code = 'EGATE';
  override readonly message = 'the gate did not open';
}

const opens = (gate: Gate): Promise<boolean> => gate().catch(() => false);

/** The public id, and a mark of the installation: those of two databases meet in one directory and stay apart. */
function nameOf({ id, messageId }: Outgoing): string {
  const installation = createHash('sha256').update(messageId).digest('hex').slice(0, 8);
  return `${id.replace(/[^\w-]/g, '_')}.${installation}.eml`;
}

async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(directory)).filter((each) => UNFINISHED.test(each))) {
    // Another process may be tidying up at the same time; what stays is in nobody's way.
    await removeIfOld(join(directory, name)).catch(() => undefined);
  }
}

async function removeIfOld(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await unlink(path);
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without this a rename that was answered may be gone after a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function failure(thrown: unknown, left: boolean): SendReport {
  const error = errorOf(thrown, left);
  const status =
    error.class === 'in_doubt' ? 'in_doubt' : error.class === 'permanent' ? 'failed' : 'retryable';
  return { status, provider: PROVIDER, error };
}

function errorOf(thrown: unknown, left: boolean): SendError {
  const { code = 'EUNKNOWN', message } = thrown as { code?: string; message: string };
  return toSendError(classifyLocal({ code, gatePassed: left }), { code, message });
}

async function lookUp(directory: string, message: Outgoing): Promise<LookupAnswer> {
  const file = await isThere(join(directory, nameOf(message)));
  if (file !== false) return file === undefined ? 'unknown' : 'sent';
  // A directory that is not there now, such as a disk that is not mounted, has nothing to say about its files.
  return (await isThere(directory)) ? 'unsent' : 'unknown';
}

/** Undefined: it can't be told. */
async function isThere(path: string): Promise<boolean | undefined> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT' ? false : undefined;
  }
}
