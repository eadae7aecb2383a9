import type { Calendar } from '../calendar.js';
import type { Slot, Slots } from './first-fit.js';
import type { Ledger } from './ledger.js';
import type { OwnSlots } from './own-slots.js';

/** Times in the account's own window. */
export const windowSlots = (ledger: Ledger): Slots => ({
  place(action, earliest, rooms): Slot | undefined {
    const at = ledger.place(action, earliest, rooms);
    return at === undefined ? undefined : { at, closesAt: null };
  },
  dayOf: (instant) => ledger.dayOf(instant),
  sendingDayAfter: (day, count) => ledger.sendingDayAfter(day, count),
});

/** Times in each recipient's window; `usual` is that of whoever has none. */
export const recipientSlots = (slots: OwnSlots, usual: Calendar): Slots => ({
  place: (action, earliest, rooms, window = usual) => slots.place(action, window, earliest, rooms),
  dayOf: (instant) => slots.dayOf(instant),
  sendingDayAfter: (day, count) => slots.sendingDayAfter(day, count),
});
