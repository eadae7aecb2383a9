export interface Step {
  readonly done: number;
  /** Left where they are: somebody was first, or it would not help. */
  readonly conflicts: number;
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
export async function workOff<T>({ items, step, onProgress }: Work<T>): Promise<Omit<Step, 'more'>> {
  let [done, conflicts] = [0, 0];
  for (const item of items) {
    let made: Step;
    do {
      made = await step(item);
      done += made.done;
      onProgress(done);
    } while (made.more && made.done > 0);
    // Every step begins anew and finds those of the step before again.
    conflicts += made.conflicts;
  }
  return { done, conflicts };
}
