import { parseCapabilities, type Capabilities } from './capabilities.js';
import { isRefusal, type Reply } from './reply.js';
import type { Failure } from './report.js';

/** `none` is plain text, and only ever because the account says so: there is no opportunistic mode. */
export type TlsMode = 'implicit' | 'starttls' | 'none';

export type Credentials =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly accessToken: string };

export interface SetUp {
  readonly tls: TlsMode;
  /** How we introduce ourselves in EHLO. */
  readonly name: string;
  readonly credentials?: Credentials;
  /** Allows AUTH without TLS. Only an account's own URL may say so. */
  readonly authInClear?: boolean;
}

type SetUpPhase = 'greeting' | 'ehlo' | 'tls' | 'auth';

/** The two things a set-up does with a connection. Both throw `SetUpFailed` when the connection ends. */
export interface Dialogue {
  /** One command, one reply. Undefined only listens. */
  ask(phase: SetUpPhase, command: string | undefined): Promise<Reply>;
  /** Everything from here on is encrypted, and the server's name was checked. */
  secure(): Promise<void>;
}

export class SetUpFailed extends Error {
  override readonly name = 'SetUpFailed';
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** A host name, or an address literal: what may follow EHLO, and nothing that could start a second command. */
const EHLO_NAME =
  /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]{2,45})\])$/i;
export const isEhloName = (name: string): boolean => EHLO_NAME.test(name);

/** From the greeting to the point where a mail may be sent. */
export async function setUp(dialogue: Dialogue, options: SetUp): Promise<Capabilities> {
  if (options.tls === 'implicit') await dialogue.secure();
  await expect(dialogue, 'greeting', undefined, 220);
  let offered = await sayHello(dialogue, options);
  if (options.tls === 'starttls') {
    if (!offered.startTls) fail('tls', 'ETLS_NOT_OFFERED', 'the server offers no STARTTLS');
    await expect(dialogue, 'tls', 'STARTTLS', 220);
    await dialogue.secure();
    // What was said in clear may have been said by anyone: it is asked again.
    offered = await sayHello(dialogue, options);
  }
  if (options.credentials) await authenticate(dialogue, options, options.credentials, offered);
  return offered;
}

async function sayHello(dialogue: Dialogue, options: SetUp): Promise<Capabilities> {
  if (!isEhloName(options.name)) fail('ehlo', 'EHOST_INVALID', 'the name for EHLO is not a host name');
  const reply = await dialogue.ask('ehlo', `EHLO ${options.name}`);
  if (reply.code === 250) return parseCapabilities(reply.lines);
  // HELO can offer neither TLS nor AUTH, so it is no way round them.
  if (reply.code < 500 || options.tls !== 'none' || options.credentials) refuse('ehlo', reply);
  await expect(dialogue, 'ehlo', `HELO ${options.name}`, 250);
  return parseCapabilities([]);
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

async function authenticate(
  dialogue: Dialogue,
  options: SetUp,
  credentials: Credentials,
  offered: Capabilities,
): Promise<void> {
  if (options.tls === 'none' && !options.authInClear) {
    fail('auth', 'EAUTH_IN_CLEAR', 'the account does not allow its password to travel in clear');
  }
  const { user } = credentials;
  const secret = 'accessToken' in credentials ? credentials.accessToken : credentials.password;
  const plain = base64(`\0${user}\0${secret}`);
  const bearer = base64(`user=${user}\x01auth=Bearer ${secret}\x01\x01`);
  let reply: Reply;
  if ('accessToken' in credentials) {
    if (!offered.authMechanisms.has('XOAUTH2')) failWithoutMechanism(offered);
    reply = await dialogue.ask('auth', `AUTH XOAUTH2 ${bearer}`);
    // 334 carries the reason in JSON; the empty line asks for the verdict.
    if (reply.code === 334) reply = await dialogue.ask('auth', '');
  } else if (offered.authMechanisms.has('PLAIN')) {
    reply = await dialogue.ask('auth', `AUTH PLAIN ${plain}`);
  } else if (offered.authMechanisms.has('LOGIN')) {
    reply = await dialogue.ask('auth', 'AUTH LOGIN');
    if (reply.code === 334) reply = await dialogue.ask('auth', base64(user));
    if (reply.code === 334) reply = await dialogue.ask('auth', base64(secret));
  } else {
    failWithoutMechanism(offered);
  }
  if (reply.code !== 235) refuse('auth', without(secret, [plain, bearer, base64(secret)], reply));
}

function failWithoutMechanism(offered: Capabilities): never {
  const names = [...offered.authMechanisms].join(', ').slice(0, 100) || 'none';
  return fail(
    'auth',
    'EAUTH_NO_MECHANISM',
    `no way to log in that both sides know (the server offers: ${names})`,
  );
}

async function expect(
  dialogue: Dialogue,
  phase: SetUpPhase,
  command: string | undefined,
  code: number,
): Promise<void> {
  const reply = await dialogue.ask(phase, command);
  if (reply.code !== code) refuse(phase, reply);
}

function refuse(phase: SetUpPhase, reply: Reply): never {
  throw new SetUpFailed({ phase, code: isRefusal(reply) ? 'EREPLY' : 'EPROTOCOL', reply });
}

function fail(phase: SetUpPhase, code: string, detail: string): never {
  throw new SetUpFailed({ phase, code, detail });
}

/**
 * Some servers repeat the command that they refuse, or a piece of it. The reply is shown to people; the password
 * must not be.
 */
function without(secret: string, encoded: readonly string[], reply: Reply): Reply {
  const haystacks = encoded.map((each) => each.toUpperCase());
  const isSecret = (word: string): boolean =>
    haystacks.some((haystack) => haystack.includes(word.toUpperCase()));
  const hide = (line: string): string =>
    line
      .replaceAll(secret, '[hidden]')
      .replace(/[A-Za-z0-9+/=]{6,}/g, (word) => (isSecret(word) ? '[hidden]' : word));
  return { ...reply, lines: reply.lines.map(hide) };
}
