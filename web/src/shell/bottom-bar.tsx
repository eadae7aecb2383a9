import { Link, useLocation } from '@tanstack/react-router';
import { Menu as Lines } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { useCounts } from '../api/live';
import { classNames } from '../parts/class-names';
import { Menu, MenuItem } from '../parts/menu';
import { numberWords } from '../parts/number-words';
import { useMe } from '../session';
import { isAt, placesOf } from './places';

const CELL =
  'relative flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-note text-ink-2 no-underline';

/** The rail of a phone; others do not load it. */
export function BottomBar() {
  const places = placesOf(useMe());
  const { pathname, search } = useLocation();
  const counts = useCounts();
  const navigate = useNavigate();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface sm:hidden"
    >
      {places
        .filter(({ direct }) => direct)
        .map((place) => {
          const Icon = place.icon;
          const count = place.counts && counts ? counts[place.counts] : 0;
          const here = isAt(place, pathname, search);
          return (
            <Link
              key={place.label}
              to={place.to}
              search={place.search ?? {}}
              aria-current={here ? 'page' : undefined}
              className={classNames(CELL, here && 'font-bold text-ink')}
            >
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {place.label === 'Dead letters' ? 'Dead' : place.label}
              {count > 0 && (
                <span
                  className={`figures absolute top-1 left-1/2 ml-1 rounded-mark px-1 text-[11px] leading-4 font-bold text-surface ${place.counts === 'dead' ? 'bg-dead' : 'bg-held'}`}
                >
                  {numberWords(count)}
                </span>
              )}
            </Link>
          );
        })}
      <Menu
        align="end"
        trigger={
          <button type="button" className={CELL}>
            <Lines size={20} strokeWidth={1.75} aria-hidden />
            More
          </button>
        }
      >
        {places
          .filter(({ direct }) => !direct)
          .map((place) => (
            <MenuItem
              key={place.label}
              onSelect={() => void navigate({ to: place.to, search: place.search ?? {} })}
            >
              {place.label}
            </MenuItem>
          ))}
      </Menu>
    </nav>
  );
}
