import { formatId } from '../core/ids.js';
import type { Preview } from '../guard/preview.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, text, whole } from './shape.js';
import { LevelWord } from './words.js';

const Window = Type.Object(
  {
    open: flag(true),
    opensAt: nullable(instant(), 'Of the window that is open, else of the next.'),
    closesAt: nullable(instant()),
  },
  { title: 'OpenWindow' },
);

export const SendingPreview = Type.Object(
  {
    plate: Type.Object({
      level: LevelWord,
      sentence: text('Saving would move 212 mails.'),
      evidence: text('No mail would leave earlier.'),
    }),
    effect: text('No mail would leave earlier.', 'What it would do to what waits; empty: nothing.'),
    moved: whole(212, 'So many of what waits would leave on another day.'),
    earlier: whole(0),
    later: whole(212),
    never: whole(0, 'Those for which there would be no time at all.'),
    days: list(
      Type.Object({ date: text('2026-11-16', 'Or: never.'), now: whole(20), then: whole(12) }),
      'By the calendar of each account.',
    ),
    campaigns: list(
      Type.Object({
        id: text('cmp_1'),
        name: text('Autumn'),
        endsAt: instant(),
        wouldEndAt: nullable(instant(), 'Null: something of it could never leave.'),
      }),
      'Those with something waiting; none if too much waits to look at all of it.',
    ),
    window: Type.Object(
      { now: Window, then: Window },
      { description: "The workspace's, as it is and as it would be." },
    ),
  },
  { title: 'SendingPreview' },
);

export const presentPreview = ({
  plate,
  effect,
  moved,
  earlier,
  later,
  never,
  days,
  campaigns,
  window,
}: Preview): Static<typeof SendingPreview> => ({
  ...{ plate, effect, moved, earlier, later, never, days },
  campaigns: campaigns.map(({ id, name, endsAt, wouldEndAt }) => ({
    id: formatId('campaign', id),
    name,
    endsAt: iso(endsAt),
    wouldEndAt: presentInstant(wouldEndAt),
  })),
  window: { now: presentWindow(window.now), then: presentWindow(window.then) },
});

const presentWindow = ({ open, opensAt, closesAt }: Preview['window']['now']): Static<typeof Window> => ({
  open,
  opensAt: presentInstant(opensAt),
  closesAt: presentInstant(closesAt),
});
