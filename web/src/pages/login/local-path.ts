/** Where to go after signing in: a path of this site, or the start. `//host` and `/\host` are other sites to a browser. */
export const localPath = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : '/';
