import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cli } from './cli.js';

const run = promisify(execFile);
const cli = new Cli({ DATABASE_URL: 'sqlite:/dev/null/never-opened.db' });

describe('completion in bash', () => {
  let directory: string;
  let script: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-completion-'));
    script = join(directory, 'completion.bash');
    const { code, stdout, stderr } = await cli.run(['completion', 'bash']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await writeFile(script, stdout);
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** What bash would offer behind these words, by the function that it was told to call. */
  async function offered(...words: string[]): Promise<string[]> {
    const ask = `set -eu; source "$1"; shift
      handler=$(complete -p pillarbox); handler="\${handler#* -F }"; handler="\${handler%% *}"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
      "$handler" pillarbox "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "\${COMPREPLY[@]-}"`;
    const { stdout } = await run('bash', ['--norc', '-c', ask, 'bash', script, 'pillarbox', ...words]);
    return stdout.split('\n').filter((word) => word !== '');
  }

  test('offers every command that help names', async () => {
    const { stdout } = await cli.run(['--help']);
    const named = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
    expect(named).toContain('queue');
    const words = await offered('');
    for (const name of named) expect(words).toContain(name);
    expect(await offered('que')).toEqual(['queue']);
  });

  test('offers the commands and options that may follow, wherever the other options stand', async () => {
    expect(await offered('queue', 're')).toEqual(['retry', 'resolve']);
    expect(await offered('queue', 'ls', '--l')).toEqual(['--lane', '--limit']);
    expect(await offered('queue', 'ls', '--limit', '5', '--st')).toEqual(['--state']);
    expect(await offered('accounts', 'verify', 'acc_1', '--j')).toEqual(['--json']);
    expect(await offered('queue', 'nonsense', '')).toEqual(await offered('queue', ''));
  });

  test('offers values where there are few, and leaves the rest to files', async () => {
    expect(await offered('queue', 'resolve', 'msg_1', '--as', '')).toEqual(['sent', 'unsent']);
    expect(await offered('queue', 'ls', '--lane', 'ca')).toEqual(['campaign']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
    expect(await offered('send', '--attach', '')).toEqual([]);
  });
});

test.each([
  ['zsh', /^#compdef pillarbox\n[\s\S]*'queue'\) words='ls show [\s\S]*\ncompdef _pillarbox pillarbox\n$/],
  [
    'fish',
    /\ncomplete -c pillarbox -n '__pillarbox_at '\\''queue ls'\\''' -l 'state' -r -d 'only these.*'\n/,
  ],
])('there is one for %s as well', async (shell, expected) => {
  const { code, stdout } = await cli.run(['completion', shell]);
  expect(code).toBe(0);
  expect(stdout).toMatch(expected);
  expect(stdout).not.toMatch(/undefined|\[object/);
});

test('another shell is wrong usage', async () => {
  const { code, stdout, stderr } = await cli.run(['completion', 'tcsh']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Allowed choices are bash, zsh, fish');
});
