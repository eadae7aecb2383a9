// @ts-check
import { run } from '../../scripts/services/processes.mjs';
import { findOrInstall } from './programs.mjs';

const LONGEST_MS = 300_000;

/**
 * Postfix's own load generator: hands in the same mail again and again over kept connections, at a price that
 * hardly shows beside whoever takes it.
 *
 * @param {{ port: number, mails: number, connections: number, from: string, file: string }} load
 */
export async function inject({ port, mails, connections, from, file }) {
  const command = await findOrInstall('smtp-source', 'postfix');
  const many = ['-d', '-s', String(connections), '-m', String(mails), '-N'];
  const what = ['-f', from, '-t', 'user@example.test', '-F', file];
  await run(command, [...many, ...what, `127.0.0.1:${port}`], { timeoutMs: LONGEST_MS });
}
