import type { Command } from 'commander';
import { readConfig, type Config } from '../config.js';
import type { Pillarbox, PillarboxOptions } from '../pillarbox.js';

export interface CommonOptions {
  readonly json?: boolean;
  readonly workspace: string;
}

/** Options that every command has. */
export const withCommon = (command: Command): Command =>
  command
    .option('--json', 'print one JSON document and nothing else')
    .option('--workspace <name>', 'the workspace to work in', 'default');

/** For a command that looks or decides and is gone: opens, does, closes. Starts no worker. */
export async function withBox<T>(
  { workspace }: Pick<CommonOptions, 'workspace'>,
  work: (box: Pillarbox, config: Config) => Promise<T>,
  means: (config: Config) => Partial<PillarboxOptions> = () => ({}),
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const config = readConfig(env);
  const { databaseUrl, clock, mailFrom: from, leaseSeconds } = config;
  // The engine is loaded when it is needed: help and wrong usage answer at once.
  const { createPillarbox } = await import('../pillarbox.js');
  const box = await createPillarbox({ databaseUrl, clock, from, leaseSeconds, workspace, ...means(config) });
  try {
    return await work(box, config);
  } finally {
    await box.stop();
  }
}
