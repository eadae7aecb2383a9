import { statSync } from 'node:fs';
import type { Residence } from '../../core/residence.js';

/** A file is known by its number and by when it was made: numbers are given out again, and moving changes neither. */
export function residenceOf(path: string): Residence {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Where a file system keeps no birth, there stands nothing, or the last change.
  const isKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { id: String(ino), ...(isKnown && { since: String(birthtimeNs) }) };
}
