import type { LoadLimits } from './load.js';

const KB = 1024;
const MB = 1024 * KB;

/** What a service bears at once. */
export interface Limits {
  /** Writes of those who have been admitted; each workspace is one of them. */
  readonly known: LoadLimits;
  /** Writes of all others, apart from those: log-ins, recipients, addresses that do not exist. Each place is one. */
  readonly strangers: LoadLimits;
  /** An address and a password, also with every letter of it written as an escape. */
  readonly strangersBodyBytes: number;
  /** From its head to its last byte. Of those who are known, the time of a whole request is enough. */
  readonly strangersBodyMs: number;
  readonly strangersSockets: number;
}

export const LIMITS: Limits = {
  known: { writes: 1_500, bytes: 256 * MB, writesOfOne: 1_000, bytesOfOne: 192 * MB },
  strangers: { writes: 256, bytes: 2 * MB, writesOfOne: 64, bytesOfOne: MB },
  strangersBodyBytes: 16 * KB,
  strangersBodyMs: 5_000,
  strangersSockets: 2_000,
};

/** Where the usual is not meant. */
export interface OtherLimits extends Partial<Omit<Limits, 'known' | 'strangers'>> {
  readonly known?: Partial<LoadLimits>;
  readonly strangers?: Partial<LoadLimits>;
}

export const limitsOf = (other: OtherLimits = {}): Limits => ({
  ...LIMITS,
  ...other,
  known: { ...LIMITS.known, ...other.known },
  strangers: { ...LIMITS.strangers, ...other.strangers },
});
