import type { Command } from 'commander';
import { presentSecrets } from '../access/secret.js';
import { publicUrlOf, readConfig, type Config } from '../service/config.js';
import type { PillarboxOptions } from '../library/options.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { surroundings } from './surroundings.js';

export interface CommonOptions {
  readonly json?: boolean;
  readonly workspace: string;
}

/** Options that every command has. */
export const withCommon = (command: Command): Command =>
  command
    .option('--json', 'print one JSON document and nothing else')
    .option('--workspace <name>', 'the workspace to work in', 'default');

/** For what must know people again of whom only a hash is kept. */
export const withSecrets = (config: Config): Partial<PillarboxOptions> => ({
  secret: presentSecrets(config),
});

/** For a command that looks or decides and is gone: opens, does, closes. Starts no worker. */
export async function withBox<T>(
  { workspace }: Pick<CommonOptions, 'workspace'>,
  work: (box: Pillarbox, config: Config) => Promise<T>,
  options: (config: Config) => Partial<PillarboxOptions> = () => ({}),
  env = surroundings().env,
): Promise<T> {
  const config = readConfig(env);
  const { databaseUrl, databaseDirectUrl, clock, mailFrom: from, leaseSeconds } = config;
  // The engine is loaded when it is needed: help and wrong usage answer at once.
  const { createPillarbox } = await import('../library/pillarbox.js');
  const box = await createPillarbox({
    databaseUrl,
    databaseDirectUrl,
    clock,
    from,
    leaseSeconds,
    workspace,
    publicUrl: publicUrlOf(config),
    ...options(config),
  });
  try {
    return await work(box, config);
  } finally {
    await box.stop();
  }
}
