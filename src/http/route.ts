import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/gatekeeper.js';
import type { Scope } from '../core/access.js';
import { Type, type Static, type TSchema } from '../vendor/typebox.js';
import type { Workspace } from '../library/workspace.js';
import type { Answer } from './answers.js';
import type { FailureCode } from './codes.js';
import type { Service } from './service.js';

/** Without a key or a session: anyone at all, anyone with the cron secret, anyone with an open invitation. */
export type OpenRule = 'anyone' | 'cron' | 'invited';

/**
 * Who may use a route: those of an open rule, any key or person of the workspace, any person (no key), or those with a
 * scope. There is no default: a route without a rule does not compile.
 */
export type Rule = OpenRule | 'known' | 'person' | Scope;

/** What a handler works with. Everything it can reach belongs to the workspace of whoever asks. */
export interface Call<Body, Query, Params> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly service: Service;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A call of someone who is known. */
export interface KnownCall<Body, Query, Params> extends Call<Body, Query, Params> {
  readonly principal: Principal;
  readonly workspace: Workspace;
}

interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** What programs that are made from the documentation call it. */
  readonly operation: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** What it can refuse by, beside what follows from rule and method. */
  readonly errors?: readonly FailureCode[];
  /** In bytes; more than the usual 1 MB. */
  readonly bodyLimit?: number;
  /** Takes a file of this type, as it comes, instead of JSON. */
  readonly takes?: 'text/csv';
  /**
   * A page of ours may post it as a form as well, into a frame, with the JSON in its field `json`. A form has no headers of
   * ours: that it comes from our own pages is known by its origin, which is enough for what changes nothing.
   */
  readonly framed?: true;
  /** No body is the same as one that says nothing. */
  readonly mayBeEmpty?: true;
  /** What the audit log calls it, if its address does not say it well; given, it is written down whatever the rule. */
  readonly action?: string;
  /** False: the audit log keeps that it was done, to what and by whom, and nothing of what was said or shown. */
  readonly details?: false;
  /** A form is posted here, in whatever encoding: the body is its text. */
  readonly forms?: true;
  /** False: a page asks by itself, so it is no sign that somebody sits before it. */
  readonly attended?: false;
}

interface Shape<
  Body extends TSchema,
  Query extends TSchema,
  Params extends TSchema,
  Data extends TSchema,
  Later extends TSchema,
> extends Described {
  readonly body?: Body;
  /** A body for the documentation. */
  readonly example?: Static<Body>;
  readonly query?: Query;
  readonly params?: Params;
  /** For the documentation: who needs one reads it himself. */
  readonly headers?: TSchema;
  /** The `data` of a success, or a `document`. */
  readonly answer: Data;
  /** The `data` of a 202, where that can be the answer. */
  readonly accepted?: Later;
}

/** What is sent by the handler itself, and not as JSON. */
export const document = (contentMediaType: string) =>
  Type.Unsafe<never>({ type: 'string', contentMediaType });

type Handle<C, Result> = (call: C) => Result | Promise<Result>;
type Outcome<Data extends TSchema, Later extends TSchema> =
  Static<Data> | Answer<Static<Later>> | FastifyReply;

export interface Route extends Described {
  readonly rule: Rule;
  readonly body?: TSchema | undefined;
  readonly example?: unknown;
  readonly query?: TSchema | undefined;
  readonly params?: TSchema | undefined;
  readonly headers?: TSchema | undefined;
  readonly answer: TSchema;
  readonly accepted?: TSchema | undefined;
  readonly handle: Handle<KnownCall<never, never, never>, unknown>;
}

type Part<T> = T extends TSchema ? Static<T> : undefined;

/** A route for whoever has the scope. What `handle` answers is the `data`; an `Answer` sets another status. */
export const route = <
  B extends TSchema,
  Q extends TSchema,
  P extends TSchema,
  D extends TSchema,
  L extends TSchema = never,
>(
  rule: Scope | 'known' | 'person',
  shape: Shape<B, Q, P, D, L>,
  handle: Handle<KnownCall<Part<B>, Part<Q>, Part<P>>, Outcome<D, L>>,
): Route => ({ ...shape, rule, handle });

/** A route for strangers, for the cron job, or for whoever is invited. */
export const openRoute = <B extends TSchema, Q extends TSchema, P extends TSchema, D extends TSchema>(
  rule: OpenRule,
  shape: Shape<B, Q, P, D, never>,
  handle: Handle<Call<Part<B>, Part<Q>, Part<P>>, Outcome<D, never>>,
): Route => ({ ...shape, rule, handle });
