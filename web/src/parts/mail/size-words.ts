const UNITS = ['KB', 'MB', 'GB'] as const;

/** "812 bytes", "14.2 KB": as people read a size, not as a disk counts it. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${String(bytes)}\u00A0${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / 1_000, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return `${size < 99.95 ? size.toFixed(1) : size.toFixed(0)}\u00A0${UNITS[unit] ?? 'GB'}`;
}
