import { isUnattended } from './attended';

/** A refusal, or no answer at all, as the server words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0: nobody answered. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
    readonly retryAfterSeconds?: number,
    /** Of wrong passwords, once they are few. */
    readonly triesLeft?: number,
  ) {
    super(message);
  }
}

/** Nobody answered: what was asked may or may not have been done. */
export const isOffline = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly field?: string; readonly triesLeft?: number };
  };
}

interface Options {
  readonly signal?: AbortSignal | undefined;
  /** The page may go away before the answer comes. */
  readonly keepalive?: boolean;
  /** What lets it in instead of a session. */
  readonly bearer?: string;
}

/** What every request carries once somebody is signed in. */
let credentials: { readonly csrfToken?: string | undefined; readonly workspaceId?: string | undefined } = {};

export function signRequestsWith(next: typeof credentials): void {
  credentials = next;
}

export const workspaceHeaders = (): Record<string, string> =>
  credentials.workspaceId === undefined ? {} : { 'x-workspace-id': credentials.workspaceId };

/** The same, and that it is this page which asks. */
export const signature = (): Record<string, string> => ({
  ...workspaceHeaders(),
  ...(credentials.csrfToken !== undefined && { 'x-csrf-token': credentials.csrfToken }),
});

const onSignedOut = new Set<() => void>();

/** Told whenever the server no longer knows the session. */
export function whenSignedOut(hear: () => void): () => void {
  onSignedOut.add(hear);
  return () => onSignedOut.delete(hear);
}

/** Asks the server, and answers its `data`. Throws `ApiError` for everything else. */
export async function ask<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<T> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(method === 'GET' ? workspaceHeaders() : signature()),
  };
  if (options.bearer !== undefined) headers['authorization'] = `Bearer ${options.bearer}`;
  if (isUnattended()) headers['x-unattended'] = '1';
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    keepalive: options.keepalive ?? false,
    signal: options.signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError(0, 'offline', 'No connection to the server.');
  });
  return answerOf<T>(response);
}

/** Its `data`, or throws why not. */
export async function answerOf<T>(response: Response): Promise<T> {
  const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined;
  if (response.ok && envelope?.success === true) return envelope.data as T;
  if (response.status === 401 && envelope?.error?.code === 'unauthorized')
    for (const hear of onSignedOut) hear();
  throw refusalOf(response, envelope);
}

function refusalOf(response: Response, envelope: Envelope | undefined): ApiError {
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  const {
    code = 'unreadable',
    message = `The server answered ${response.status} without a reason.`,
    details,
  } = envelope?.error ?? {};
  return new ApiError(
    response.status,
    code,
    message,
    details?.field,
    Number.isNaN(wait) ? undefined : wait,
    details?.triesLeft,
  );
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  ask('GET', path, undefined, { signal });
export const post = <T>(path: string, body?: unknown, options?: Options): Promise<T> =>
  ask('POST', path, body, options);

/** A query string without what is not given. */
export function queryString(params: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
