/**
 * A number in [0, 1) from what it is for: the k-th gap of an account's day is the same in every run, whoever asks, in
 * whatever order and after whatever crash. A hash, not a stream: there is no state that could be lost.
 */
export function drawn(seed: number, account: number, day: number, k: number): number {
  const hash = mixed(mixed(mixed(mixed(GOLDEN, seed), account), day), k);
  return (hash >>> 0) / 2 ** 32;
}

const GOLDEN = 0x9e3779b9;

/** MurmurHash3's last step: every bit of both has its say in every bit of the answer. */
function mixed(hash: number, part: number): number {
  let h = ((hash ^ part) + GOLDEN) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
