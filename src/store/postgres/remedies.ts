/** What was said when PostgreSQL could not be had, or did not let somebody do something. */
export interface Refusal {
  /** SQLSTATE of the server, or the name of a system or TLS error; empty: only words. */
  readonly code: string;
  readonly message: string;
  /** Where the connection went, as far as it is known. */
  readonly place?: string | undefined;
}

const STRANGE_CA = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/**
 * Why no connection could be had, and what to do about it, in one line; undefined: it is something else. All of them may
 * pass without a change here: somebody starts the server, adds the role, renews the certificate.
 */
export function unreachable({ code, message, place = 'it' }: Refusal): string | undefined {
  if (code === '28P01') return `${message}; correct user and password in databaseUrl`;
  if (code === '3D000') return `${message}; create it, or correct the name at the end of databaseUrl`;
  // It says so of everybody who came without, whatever he was refused for.
  if (code === '28000' && message.includes('no encryption'))
    return `${message}; add ?sslmode=require to databaseUrl if the server demands TLS, or let this user in by its pg_hba.conf`;
  if (code.startsWith('28'))
    return `${message}; correct the user in databaseUrl, or let this user in by the server's pg_hba.conf`;
  if (message.includes('server does not support SSL'))
    return 'the server offers no TLS, which databaseUrl asks for; take sslmode out of it, or switch ssl on in the server';
  if (STRANGE_CA.has(code))
    return `the certificate of the server is signed by a CA that is unknown here; name its file in databaseUrl: ?sslmode=verify-full&sslrootcert=/path/ca.pem`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the server has expired; renew it there';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'the certificate of the server is for another name; put the name that it is for into databaseUrl';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name of the host is unknown here; correct the host in databaseUrl, or look at DNS`;
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${place}; start the server, or correct host and port in databaseUrl`;
  return undefined;
}

/** What a role that may not do something must be given, in one line. The rights that are needed are in docs/operations.md. */
export function missingRight(message: string, schema: string): string {
  if (message.includes('for database'))
    return `there is no schema ${schema}, and this role may not make it: let one who may run create schema ${schema} authorization …`;
  if (message.includes('must be owner'))
    return `the schema is to be changed, and belongs to another role: run pillarbox migrate as that one`;
  if (message.includes('for schema')) return `grant usage on schema ${schema} to this role`;
  return `grant select, insert, update, delete on all tables in schema ${schema}, and usage, select on its sequences, to this role`;
}
