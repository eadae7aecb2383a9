export interface Step {
  readonly done: number;
  /** Not all of it yet. */
  readonly more: boolean;
}

interface Work<T> {
  readonly items: readonly T[];
  readonly step: (item: T) => Promise<Step>;
  readonly onProgress: (done: number) => void;
}

/**
 * One thing after the other, each asked again until nothing is left of it. A step that did nothing although more is
 * said to be there ends it: asking on would never end.
 */
export async function workOff<T>({ items, step, onProgress }: Work<T>): Promise<number> {
  let done = 0;
  for (const item of items) {
    for (let more = true; more;) {
      const made = await step(item);
      done += made.done;
      more = made.more && made.done > 0;
      onProgress(done);
    }
  }
  return done;
}
