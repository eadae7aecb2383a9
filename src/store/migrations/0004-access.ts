import { oneOf, type DefinitionDialect } from './dialect.js';

// As they were when this was released.
const ROLES = ['viewer', 'operator', 'admin'];

/** Who may do what, and who did. Of keys, sessions and passwords only hashes are kept. */
export const access = (dialect: DefinitionDialect): string[] => [...tables(dialect), ...appendOnly(dialect)];

const tables = ({ at, identity, integer, bigint, withoutRowid }: DefinitionDialect): string[] => [
  `create table ${at('api_keys')} (
    id ${identity}, workspace_id ${integer} not null, name text not null, scopes text not null,
    hash text not null unique, hint text not null,
    created_at ${bigint} not null, last_used_at ${bigint}, revoked_at ${bigint})`,
  `create index api_keys_list on ${at('api_keys')} (workspace_id, id)`,
  `create table ${at('users')} (
    id ${identity}, email text not null unique, password text, created_at ${bigint} not null)`,
  `create table ${at('memberships')} (
    workspace_id ${integer} not null, user_id ${bigint} not null, role text not null ${oneOf('role', ROLES)},
    primary key (workspace_id, user_id))${withoutRowid}`,
  `create index memberships_user on ${at('memberships')} (user_id)`,
  `create table ${at('sessions')} (
    hash text primary key, user_id ${bigint} not null, created_at ${bigint} not null, seen_at ${bigint} not null)${withoutRowid}`,
  `create index sessions_user on ${at('sessions')} (user_id)`,
  `create table ${at('login_failures')} (subject text not null, failed_at ${bigint} not null)`,
  `create index login_failures_subject on ${at('login_failures')} (subject, failed_at)`,
  `create table ${at('audit')} (
    id ${identity}, workspace_id ${integer} not null, at ${bigint} not null, actor text not null,
    action text not null, target text, details text)`,
  `create index audit_list on ${at('audit')} (workspace_id, id)`,
  `create table ${at('settings')} (
    workspace_id ${integer} not null, name text not null, value text not null,
    primary key (workspace_id, name))${withoutRowid}`,
  `alter table ${at('accounts')} add column type text not null default 'email'`,
  // Limits, window, ramp-up and spacing as a person set them; read by the guard.
  `alter table ${at('accounts')} add column sending text not null default '{}'`,
];

/** What was written down about who did what can't be unwritten, not even by a mistake of ours. */
const appendOnly = ({ name, at }: DefinitionDialect): string[] =>
  name === 'postgres'
    ? [
        `create function ${at('keep_audit')}() returns trigger language plpgsql as
          $$ begin raise exception 'the audit log is append-only'; end $$`,
        `create trigger keep_audit before update or delete or truncate on ${at('audit')}
          for each statement execute function ${at('keep_audit')}()`,
      ]
    : ['update', 'delete'].map(
        (change) => `create trigger keep_audit_from_${change} before ${change} on audit
          begin select raise(abort, 'the audit log is append-only'); end`,
      );
