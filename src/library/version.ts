import { readFileSync } from 'node:fs';

/** Of this program, for people. A bundler may have left the file behind that says it. */
export function ownVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
