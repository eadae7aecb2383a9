import { useState } from 'react';
import type { Counts, Message } from '../../api/types';
import { STATES } from '../../api/names';
import type { MessageFilter } from '../../api/queries';
import { numberWords } from '../../parts/number-words';
import type { Target } from './decide';
import { REQUESTS, type Decision } from './decisions';
import { bodyOf, countedOf, statesOf } from './filters';
import { countedMix, mixOf, ranged, toggled, type Selection } from './selection';

interface Chosen {
  readonly key: string;
  readonly ids: Selection;
  /** Where a range begins. */
  readonly anchor: string | undefined;
  /** Not only the page: all that match. */
  readonly all: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** What is selected on a page. Another filter or page is another selection. */
export function useSelection(
  key: string,
  items: readonly Message[],
  filter: MessageFilter,
  counts: Counts | undefined,
  hasMore: boolean,
) {
  const [chosen, choose] = useState<Chosen>({ key, ids: NONE, anchor: undefined, all: false });
  const present = chosen.key === key ? chosen : { key, ids: NONE, anchor: undefined, all: false };
  const ids = items.map(({ id }) => id);
  const selected = items.filter(({ id }) => present.ids.has(id));
  const counted = countedOf(filter, counts);
  const states = filter.state === undefined ? STATES : statesOf(filter.state);
  const mix = present.all && counted !== undefined && counts ? countedMix(states, counts) : mixOf(selected);
  const whole = items.length > 0 && selected.length === items.length;
  return {
    ids: present.ids,
    size: selected.length,
    all: present.all,
    mix,
    /** How many, where that is known. */
    count: present.all ? counted : selected.length,
    clear: () => choose({ key, ids: NONE, anchor: undefined, all: false }),
    select: (id: string, range: boolean) =>
      choose({
        ...{ key, anchor: id, all: false },
        ids: range ? ranged(present.ids, ids, present.anchor, id) : toggled(present.ids, id),
      }),
    selectPage: () => choose({ key, anchor: undefined, all: false, ids: whole ? NONE : new Set(ids) }),
    offer:
      whole && hasMore && !present.all
        ? {
            words:
              counted === undefined
                ? 'Select all that match'
                : `Select all ${numberWords(counted)} that match`,
            take: () => choose({ ...present, all: true }),
          }
        : undefined,
    targetOf: (decision: Decision): Target =>
      present.all
        ? { filter: bodyOf(filter) }
        : {
            ids: selected
              .filter(({ state }) => REQUESTS[decision].states.includes(state))
              .map(({ id }) => id),
          },
  };
}
