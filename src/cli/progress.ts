import { surroundings, type Output } from './surroundings.js';
import { isUtf8 } from './terminal.js';

const REDRAW_MS = 100;
const BAR = 36;
const NARROWEST = 40;

/** How far long work has come, on one line that is drawn again ten times a second. In a pipe there is none of it. */
export class Progress {
  readonly #began = performance.now();
  #drawnAt = -Infinity;

  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly screen: Output = surroundings().stderr,
  ) {}

  at(done: number): void {
    const tick = performance.now();
    if (!this.screen.isTTY || tick - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = tick;
    const elapsedMs = tick - this.#began;
    this.#show(progressLine(this.what, done, this.total, elapsedMs, this.screen.columns ?? 80, isUtf8()));
  }

  /** Leaves the line empty for what is said next. */
  end(): void {
    if (this.screen.isTTY && this.#drawnAt > -Infinity) this.#show('');
  }

  #show(line: string): void {
    this.screen.write(`\r\u001b[2K${line}`);
  }
}

/** `retrying  ███████░░░  2,412 / 3,600   67 %   under 1 s left` */
export function progressLine(
  what: string,
  done: number,
  total: number,
  elapsedMs: number,
  columns: number,
  utf8: boolean,
): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const number = (n: number) => n.toLocaleString('en-US');
  const figures = `${number(done)} / ${number(Math.max(done, total))}   ${Math.floor(share * 100)} %`;
  const left = done > 0 ? `   ${leftOf((elapsedMs / done) * (total - done))}` : '';
  const width = Math.min(BAR, columns - what.length - figures.length - left.length - 5);
  if (columns < NARROWEST || width < 4) return `${what}  ${figures}`.slice(0, columns - 1);
  const full = Math.round(share * width);
  const bar = (utf8 ? '█' : '#').repeat(full) + (utf8 ? '░' : '.').repeat(width - full);
  return `${what}  ${bar}  ${figures}${left}`;
}

function leftOf(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1_000);
  if (seconds <= 1) return 'under 1 s left';
  return seconds < 120 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} m left`;
}
