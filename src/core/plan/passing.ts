/**
 * A row of places of which more and more are shut for good. Who looks for the next open one passes over all that are
 * shut in a few steps, however many there are.
 */
export class Passing {
  readonly #next: Int32Array;

  constructor(readonly size: number) {
    // One more than there are: where everybody arrives who finds none.
    this.#next = new Int32Array(size + 1);
    this.reopen();
  }

  /** The first open place from this one on; `size`: there is none. */
  from(place: number): number {
    let at = place;
    while (this.#after(at) !== at) {
      // Whoever comes by shortens the way for the next.
      const beyond = this.#after(this.#after(at));
      this.#next[at] = beyond;
      at = beyond;
    }
    return at;
  }

  shut(place: number): void {
    this.#next[place] = place + 1;
  }

  reopen(): void {
    for (let place = 0; place <= this.size; place++) this.#next[place] = place;
  }

  #after(place: number): number {
    return this.#next[place] as number;
  }
}
