import type { Rule } from './rules.js';

export type HttpProvider = 'gmail' | 'unipile' | 'http';

export interface HttpAnswer {
  /** `http` is any provider that is spoken to with an idempotency key, Resend for example. */
  readonly provider: HttpProvider;
  readonly status: number;
  /** Parsed, or the text if it was no JSON. */
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request may be repeated as it is without harm: sent with a key that still holds, or a token refresh. */
  readonly idempotent: boolean;
  /** Epoch ms, for dates in headers and texts. */
  readonly now: number;
}

/** All that is named must hold. */
export interface HttpCondition {
  readonly providers?: readonly HttpProvider[];
  readonly statuses?: readonly (number | '3xx' | '4xx' | '5xx')[];
  /** One of these, in lower case, is a machine-readable reason in the body. */
  readonly reasons?: readonly string[];
  /** One of these, in lower case, is part of the text in the body. */
  readonly words?: readonly string[];
  readonly idempotent?: boolean;
  /** Whether the answer says when to come back. */
  readonly saysWhen?: boolean;
}

export interface HttpSample {
  readonly provider: HttpProvider;
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotent?: true;
}

export type HttpRule = Rule<HttpCondition, HttpSample>;
