import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useCounts } from '../api/live';
import { ofDashboard } from '../api/queries';
import { classNames } from '../parts/class-names';
import { StateGlyph } from '../parts/glyphs';
import { counted, numberWords } from '../parts/number-words';
import { Tip } from '../parts/tip';
import { useMe } from '../session';
import { Mark } from './mark';
import { isAt, placesOf, type Place } from './places';
import { WorkspaceSwitch } from './workspace-switch';

/** The way around, at the left. Icons only between 1024 and 1280 px, a bar at the foot of a phone (`BottomBar`). */
export function Rail() {
  const me = useMe();
  const places = placesOf(me);
  const groups = [...new Set(places.map(({ group }) => group))];
  return (
    <nav
      aria-label="Main"
      className="sticky top-0 flex h-dvh w-[204px] shrink-0 flex-col overflow-y-auto border-r border-line bg-rail px-2.5 py-3 max-xl:w-14 max-xl:px-2 max-sm:hidden"
    >
      <Link
        to="/"
        className="mb-3 flex items-center gap-2.5 px-2 text-[18px] font-[720] tracking-[-0.012em] text-ink no-underline max-xl:justify-center max-xl:px-0"
      >
        <Mark />
        <span className="max-xl:sr-only">Pillarbox</span>
      </Link>
      <WorkspaceSwitch />
      {groups.map((group) => (
        <div key={group ?? ''} className="mt-3">
          {group !== undefined && (
            <div className="px-2 pb-1 text-note text-ink-2 max-xl:sr-only">{group}</div>
          )}
          <ul>
            {places
              .filter((place) => place.group === group)
              .map((place) => (
                <RailLink key={place.label} place={place} />
              ))}
          </ul>
        </div>
      ))}
      <RailFoot email={me.user?.email ?? ''} />
    </nav>
  );
}

function RailLink({ place }: { readonly place: Place }) {
  const { pathname, search } = useLocation();
  const counts = useCounts();
  const count = place.counts && counts ? counts[place.counts] : 0;
  const here = isAt(place, pathname, search);
  const Icon = place.icon;
  const words =
    count === 0 ? '' : place.counts === 'dead' ? counted(count, 'dead letter') : `${numberWords(count)} held`;
  return (
    <li>
      <Tip text={`${place.label}${words && `, ${words}`}  ·  ${place.keys}`}>
        <Link
          to={place.to}
          search={place.search ?? {}}
          aria-current={here ? 'page' : undefined}
          className={classNames(
            'flex min-h-[28px] items-center gap-2.5 rounded-control border border-transparent px-2 font-semibold text-ink-2 no-underline coarse:min-h-11 max-xl:justify-center max-xl:px-0 max-xl:py-1.5',
            here
              ? 'border-line! bg-surface text-ink shadow-[inset_3px_0_0_var(--brand)]'
              : 'hover:bg-hover hover:text-ink',
          )}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
          <span className="flex-1 max-xl:sr-only">{place.label}</span>
          {place.counts && count > 0 && (
            <span className="figures flex items-center gap-1 text-note max-xl:sr-only">
              <StateGlyph state={place.counts} size={11} />
              <span aria-hidden>{numberWords(count)}</span>
              <span className="sr-only">{words}</span>
            </span>
          )}
        </Link>
      </Tip>
    </li>
  );
}

function RailFoot({ email }: { readonly email: string }) {
  const workers = useQuery(ofDashboard()).data?.workers;
  return (
    <div className="mt-auto border-t border-line px-2 pt-3 text-note text-ink-2 max-xl:sr-only">
      {workers && (
        <div>
          {counted(workers.senders, 'worker')}
          {workers.alive > workers.senders && ` · ${counted(workers.alive - workers.senders, 'relay')}`}
        </div>
      )}
      <Link to="/settings/you" className="block truncate text-ink-2 no-underline hover:underline">
        {email}
      </Link>
    </div>
  );
}
