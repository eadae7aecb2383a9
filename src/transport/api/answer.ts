/** What the far side said. Only whole heads count: half a status line is no answer. */
export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed, or the text if it is no JSON. */
  readonly body: unknown;
  /** False: the body was cut, late or too long, and `body` is what had come of it. The status holds all the same. */
  readonly whole: boolean;
}

export interface ApiFault {
  readonly phase: 'connect' | 'tls' | 'gate' | 'reply';
  readonly code: string;
  /** In our own words: what the system says names addresses, and those of a network behind us are nobody's business. */
  readonly detail: string;
  /** The request was let go, so it may have arrived. Known for certain, also where the gate was passed. */
  readonly left: boolean;
}

/** How one request ended: with an answer, or with the reason why there is none. */
export type ApiEnd = { readonly answer: ApiAnswer } | { readonly fault: ApiFault };

export const isSuccess = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300;

/** A field of an answer, if it is a text that says something. */
export function textIn(body: unknown, name: string): string | undefined {
  const value = fieldOf(body, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;

export function parseBody(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Short and searchable: the status, and the provider's own name for what went wrong. Google writes it in
 * `error.errors[0].reason`, OAuth in `error`, Unipile in `type`, Resend in `name`.
 */
export function codeOf({ status, body }: ApiAnswer): string {
  const error = fieldOf(body, 'error');
  const list = fieldOf(error, 'errors');
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const reason =
    textIn(first, 'reason') ??
    textIn(error, 'status') ??
    textIn(body, 'error') ??
    textIn(body, 'type') ??
    textIn(body, 'name');
  return reason === undefined ? String(status) : `${status} ${reason}`;
}
