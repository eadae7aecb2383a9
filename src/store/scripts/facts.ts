import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** Single values that the whole installation agrees on. */
export function* readFact({ db }: Store, name: string): Script<string | undefined> {
  return (yield* askOne(db.selectFrom('facts').select('value').where('name', '=', name)))?.value;
}

/** Whoever is first decides; everybody gets what he decided. */
export function* agreeOnFact(store: Store, name: string, value: string): Script<string> {
  const known = yield* readFact(store, name);
  if (known !== undefined) return known;
  yield* ask(
    store.db
      .insertInto('facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  return (yield* readFact(store, name)) ?? value;
}

export function* writeFact({ db }: Store, name: string, value: string): Script<void> {
  yield* ask(
    db
      .insertInto('facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  );
}
