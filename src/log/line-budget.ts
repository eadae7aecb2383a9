/** Faster than this, lines of their own for all of them would be nothing but lines. */
const LINES_A_SECOND = 100;

/** Whether there is room for so many lines of one kind within this second. */
export class LineBudget {
  #second = -1;
  #lines = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  hasRoomFor(lines: number): boolean {
    const second = Math.floor(this.clock() / 1_000);
    if (second !== this.#second) this.#lines = 0;
    this.#second = second;
    this.#lines += lines;
    return this.#lines <= LINES_A_SECOND;
  }
}
