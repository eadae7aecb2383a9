// @ts-check
import { readFileSync } from 'node:fs';

/** What the kernel kept of this very program; `maxRSS` also remembers the parent that it was forked from. */
export function mostResident() {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kilobytes === undefined ? process.memoryUsage.rss() : Number(kilobytes) * 1_024;
}
