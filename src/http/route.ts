import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/gatekeeper.js';
import type { Scope } from '../core/access.js';
import type { Static, TSchema } from '../vendor/typebox.js';
import type { Workspace } from '../workspace.js';
import type { Service } from './service.js';

/**
 * Who may use a route: anyone at all, anyone with the cron secret, any key or person of the workspace, any person
 * (no key), or those with a scope. There is no default: a route without a rule does not compile.
 */
export type Rule = 'anyone' | 'cron' | 'known' | 'person' | Scope;

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

interface Shape<Body extends TSchema, Query extends TSchema, Params extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** One line for the documentation. */
  readonly summary: string;
  readonly body?: Body;
  readonly query?: Query;
  readonly params?: Params;
  /** In bytes; more than the usual 1 MB. */
  readonly bodyLimit?: number;
  /** What the audit log calls it, if its address does not say it well; given, it is written down whatever the rule. */
  readonly action?: string;
}

type Handle<C> = (call: C) => unknown;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly rule: Rule;
  readonly summary: string;
  readonly body?: TSchema | undefined;
  readonly query?: TSchema | undefined;
  readonly params?: TSchema | undefined;
  readonly bodyLimit?: number | undefined;
  readonly action?: string | undefined;
  readonly handle: Handle<KnownCall<never, never, never>>;
}

type Part<T> = T extends TSchema ? Static<T> : undefined;

/** A route for whoever has the scope. What `handle` answers is the `data`; an `Answer` sets another status. */
export const route = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  rule: Scope | 'known' | 'person',
  shape: Shape<B, Q, P>,
  handle: Handle<KnownCall<Part<B>, Part<Q>, Part<P>>>,
): Route => ({ ...shape, rule, handle: handle });

/** A route for strangers, or for the cron job. */
export const openRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  rule: 'anyone' | 'cron',
  shape: Shape<B, Q, P>,
  handle: Handle<Call<Part<B>, Part<Q>, Part<P>>>,
): Route => ({ ...shape, rule, handle: handle });
