import { nameFault } from '../core/access.js';
import { TRANSPORT_KINDS, type AccountTransport } from '../core/account-transport.js';
import { ADDRESS_FAULT_TEXT, parseAddress } from '../core/address.js';
import { lineFault } from '../core/headers.js';
import { sendingFault } from '../core/sending.js';
import { invalidInput } from '../core/errors.js';
import {
  Count,
  HolidaysShape,
  HoursShape,
  LimitsShape,
  rampUpFields,
  SpacingShape,
  windowFields,
} from '../shapes/sending.js';
import { shapeFault } from '../shapes/fault.js';
import { resolveHost, type HostPolicy } from '../transport/hosts.js';
import { authorityFault } from '../transport/smtp/authority.js';
import { parseSmtpUrl, type SmtpEndpoint } from '../transport/smtp/url.js';
import { NO_LOCAL_FILES } from './transports.js';
import { Compile, Type, type Static, type TSchema } from '../vendor/typebox.js';

const closed = { additionalProperties: false } as const;
/** Null: back to what holds unless something is said. */
const maybe = <T extends TSchema>(shape: T) => Type.Optional(Type.Union([shape, Type.Null()]));
const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 }));

/** All kinds in one: which fields belong to which is told better in words than by a union. */
const TransportShape = Type.Object(
  {
    kind: Type.Enum([...TRANSPORT_KINDS]),
    url: Text,
    ca: Type.Optional(Type.String({ minLength: 1, maxLength: 64_000 })),
    clientId: Text,
    clientSecret: Text,
    refreshToken: Text,
    baseUrl: Text,
    apiKey: Text,
    accountId: Text,
    directory: Text,
  },
  closed,
);

/** With `hours` the rest of a day may be left out. */
const WindowShape = Type.Object(
  {
    sendingDays: Type.Optional(windowFields.sendingDays),
    startHour: Type.Optional(windowFields.startHour),
    endHour: Type.Optional(windowFields.endHour),
    timezone: windowFields.timezone,
    hours: maybe(HoursShape),
  },
  closed,
);
type WindowInput = Static<typeof WindowShape>;

/** What it answers besides may come back with it. */
const DkimShape = Type.Object(
  {
    domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    selector: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    privateKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16_000,
        description: 'In PEM form. Without it a key is made; the same domain and selector keep theirs.',
      }),
    ),
    algorithm: Type.Optional(Type.String({ maxLength: 20, readOnly: true })),
    record: Type.Optional(
      Type.Object(
        { name: Type.String({ maxLength: 1_000 }), value: Type.String({ maxLength: 4_000 }) },
        { ...closed, readOnly: true },
      ),
    ),
  },
  closed,
);

const fields = {
  dkim: maybe(DkimShape),
  type: Type.Optional(Type.Enum(['email', 'linkedin'])),
  emailAddress: maybe(Type.String({ maxLength: 254 })),
  /** How people see the sender, beside the address. */
  displayName: maybe(Type.String({ maxLength: 200 })),
  dailyLimitEmails: maybe(Count),
  dailyLimitMessages: maybe(Count),
  dailyLimitConnections: maybe(Count),
  dailyLimitInmails: maybe(Count),
  limits: maybe(LimitsShape),
  window: maybe(WindowShape),
  rampUp: maybe(Type.Object({ enabled: Type.Boolean(), ...rampUpFields }, closed)),
  spacing: maybe(SpacingShape),
  holidays: maybe(HolidaysShape),
  maxConnections: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
  mailsInFlight: maybe(Type.Integer({ minimum: 1, maximum: 8 })),
  status: Type.Optional(Type.Enum(['active', 'paused'])),
  pauseReason: maybe(Type.String({ minLength: 1, maxLength: 500 })),
};

export const NewAccountInput = Type.Object(
  { name: Type.String(), transport: TransportShape, ...fields },
  closed,
);
export type NewAccountInput = Static<typeof NewAccountInput>;

/** What an account answers besides can be sent back with the rest, and changes nothing: no more than it answers. */
const shown = Type.Optional(
  Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()], {
    readOnly: true,
  }),
);
export const AccountPatch = Type.Object(
  {
    name: Type.Optional(Type.String()),
    // Of the default account it may be one that only the process knows.
    transport: Type.Optional(Type.Object({ ...TransportShape.properties, kind: Type.String() }, closed)),
    ...fields,
    id: shown,
    isDefault: shown,
    cooldownUntil: shown,
    cooldownReason: shown,
    createdAt: shown,
    updatedAt: shown,
  },
  closed,
);
export type AccountPatch = Static<typeof AccountPatch>;

const newAccount = Compile(NewAccountInput);
const patch = Compile(AccountPatch);

export function checkNewAccount(input: unknown): asserts input is NewAccountInput {
  if (!newAccount.Check(input)) throw shapeFault(newAccount.Errors(input), 'account');
  checkValues(input);
}

export function checkAccountPatch(input: unknown): asserts input is AccountPatch {
  if (!patch.Check(input)) throw shapeFault(patch.Errors(input), 'account');
  checkValues(input);
}

function checkValues({ name, emailAddress, displayName, pauseReason, ...given }: AccountPatch): void {
  refuse('name', name === undefined ? undefined : nameFault(name));
  refuse('displayName', lineFault(displayName ?? ''));
  refuse('pauseReason', lineFault(pauseReason ?? ''));
  if (pauseReason && given.status === undefined) refuse('pauseReason', 'goes with status paused');
  if (typeof emailAddress === 'string') {
    const parsed = parseAddress(emailAddress);
    if ('fault' in parsed) throw invalidInput('emailAddress', ADDRESS_FAULT_TEXT[parsed.fault]);
  }
  if (given.window) checkWindow(given.window);
  const { spacing, holidays } = given;
  const rest = sendingFault({ ...(spacing && { spacing }), ...(holidays && { holidays }) });
  if (rest) throw invalidInput(rest.field, rest.text);
}

function checkWindow({ hours, ...rest }: WindowInput): void {
  const missing = (['sendingDays', 'startHour', 'endHour'] as const).find(
    (field) => rest[field] === undefined,
  );
  if (!hours && missing) throw invalidInput(`window.${missing}`, 'is missing');
  const fault = sendingFault({ ...rest, ...(hours && { hours }) });
  if (fault) throw invalidInput(`window.${fault.field}`, fault.text);
}

function refuse(field: string, fault: string | undefined): void {
  if (fault !== undefined) throw invalidInput(field, fault);
}

/** Throws `invalid_input` for what can't work or must not be reached. No text repeats a value: it may be a secret. */
export async function checkTransport(transport: AccountTransport, hosts: HostPolicy): Promise<void> {
  switch (transport.kind) {
    case 'smtp':
      // The parser would pass over a blank, or write it as %20; whoever looks for passwords in a text would not.
      refuse(
        'transport.url',
        /[\s\p{Cc}]/u.test(transport.url) ? 'holds a blank; write it as %20' : undefined,
      );
      refuse('transport.ca', transport.ca === undefined ? undefined : authorityFault(transport.ca));
      return checkServer(transport.url, hosts);
    case 'file':
      refuse('transport.directory', lineFault(transport.directory));
      refuse('transport.directory', hosts.allowPrivate ? undefined : NO_LOCAL_FILES);
      return;
    case 'gmail':
      checkToken('clientId', transport.clientId);
      checkToken('clientSecret', transport.clientSecret);
      checkToken('refreshToken', transport.refreshToken);
      if (transport.baseUrl !== undefined) return checkBaseUrl(transport.baseUrl, hosts);
      // Without an address of its own it means Google's.
      refuse('transport.kind', hosts.onlyLoopback);
      return;
    case 'unipile':
      checkToken('accountId', transport.accountId);
      checkToken('apiKey', transport.apiKey);
      return checkBaseUrl(transport.baseUrl, hosts);
    case 'http':
      checkToken('apiKey', transport.apiKey);
      return checkBaseUrl(transport.baseUrl, hosts);
  }
}

/**
 * Where mail servers listen. Anything else would make of an account a way to knock at every door of a network; where
 * private hosts are allowed, whoever adds accounts is trusted with the network.
 */
const MAIL_PORTS: readonly number[] = [25, 465, 587, 2525];

async function checkServer(url: string, hosts: HostPolicy): Promise<void> {
  const { host, port, caFile } = serverOf(url);
  // A file of this machine is not for everybody who may add an account to look for.
  refuse(
    'transport.url',
    caFile === undefined ? undefined : 'has ca=, which is for SMTP_URL; give the PEM as transport.ca',
  );
  refuse(
    'transport.url',
    MAIL_PORTS.includes(port) || hosts.allowPrivate
      ? undefined
      : `should have the port ${MAIL_PORTS.join(', ')}`,
  );
  await checkHost('url', host, hosts);
}

function serverOf(url: string): Pick<SmtpEndpoint, 'host' | 'port' | 'caFile'> {
  try {
    return parseSmtpUrl(url);
  } catch (error) {
    throw invalidInput('transport.url', (error as Error).message.replace(/^url: /, ''));
  }
}

function checkToken(name: string, value: string): void {
  refuse(
    `transport.${name}`,
    /^[!-~]+$/.test(value) ? undefined : 'should be ASCII characters without blanks',
  );
}

async function checkBaseUrl(text: string, hosts: HostPolicy): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = hosts.allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol))
    throw invalidInput('transport.baseUrl', 'should be https://host');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalidInput('transport.baseUrl', 'should hold no user, password, ? or #');
  }
  await checkHost('baseUrl', url.hostname.replace(/^\[(.*)\]$/, '$1'), hosts);
}

/** A name that does not resolve today may tomorrow; every connection is checked again. */
async function checkHost(field: string, host: string, hosts: HostPolicy): Promise<void> {
  if (hosts.allowPrivate && hosts.onlyLoopback === undefined) return;
  const answer = await resolveHost(host, hosts);
  if ('code' in answer && (answer.code === 'EHOST_REFUSED' || answer.code === 'EHOST_INVALID')) {
    throw invalidInput(`transport.${field}`, answer.detail);
  }
}
