import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Need } from '../../api/types';
import { LevelGlyph, StateGlyph } from '../../parts/glyphs';
import { visible } from '../../parts/visible';

interface Way {
  readonly verb: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly glyph: ReactNode;
}

const WAITING = {
  verb: 'Look',
  to: '/queue',
  search: { state: 'scheduled' },
  glyph: <StateGlyph state="scheduled" size={16} />,
};
const WAYS: Readonly<Record<string, Way>> = {
  dead: { verb: 'Review', to: '/dead', glyph: <StateGlyph state="dead" size={16} /> },
  held: {
    verb: 'Decide',
    to: '/queue',
    search: { state: 'held' },
    glyph: <StateGlyph state="held" size={16} />,
  },
  account_paused: { verb: 'Look', to: '/accounts', glyph: <LevelGlyph level="look" size={16} /> },
  late: WAITING,
  no_worker: WAITING,
};

/** What goes on until a person decides, each with the way there. */
export const Needs = ({ needs }: { readonly needs: readonly Need[] }) => (
  <ul aria-label="Needs a person" className="max-w-sm max-sm:w-full max-sm:max-w-none">
    {needs.map((need) => (
      <NeedRow key={need.kind} need={need} way={WAYS[need.kind] ?? WAITING} />
    ))}
  </ul>
);

const NeedRow = ({ need, way }: { readonly need: Need; readonly way: Way }) => (
  <li className="flex min-h-[23px] items-start gap-2 py-px text-table font-semibold max-sm:min-h-11 max-sm:items-center max-sm:border-t max-sm:border-plate-hair max-sm:py-2.5 max-sm:text-body">
    <span className="mt-px max-sm:mt-0">{way.glyph}</span>
    <span className="line-clamp-1 min-w-0 break-all max-sm:line-clamp-2 max-sm:flex-1 max-sm:break-words">
      {visible(need.sentence)}
    </span>
    <Link
      to={way.to}
      search={way.search ?? {}}
      aria-label={`${way.verb}: ${visible(need.sentence)}`}
      className="no-underline hover:underline max-sm:flex max-sm:min-h-11 max-sm:items-center max-sm:px-1 max-sm:-my-3"
    >
      {way.verb}
    </Link>
  </li>
);
