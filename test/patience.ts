/**
 * How long a test waits for what must happen. It only ends one that would never end: what is waited for comes within
 * moments, and within a minute on a machine that is busy with everything else.
 */
export const PATIENCE_MS = 120_000;
