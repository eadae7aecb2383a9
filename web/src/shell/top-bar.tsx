import { Moon, Sun } from 'lucide-react';
import { Fragment, useEffect, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useCounts } from '../api/live';
import { Tip } from '../parts/tip';
import { isDark, setTheme, useTheme } from '../theme/theme';
import { useNow } from '../time/clock';
import { secondsOf, zoneName } from '../time/words';
import { useZone } from '../time/zone';
import { useWorkspaceName } from '../workspace-name';
import { LiveIndicator, useOffline } from './live-indicator';
import { Search } from './search';
import plainIcon from './pillarbox.svg';
import needsYouIcon from './pillarbox-needs-you.svg';

interface Props {
  readonly title: string;
  /** What the page is a part of. */
  readonly within?: { readonly label: string; readonly to: string };
  readonly actions?: ReactNode;
}

/** Title, actions, search, clock, connection, theme. Names the tab, too. */
export function TopBar({ title, within, actions }: Props) {
  const offline = useOffline();
  useTitle(within ? `${title}, ${within.label}` : title);
  return (
    <header
      className={`sticky top-0 z-20 flex min-h-11 items-center gap-3 border-b border-line px-5 max-sm:px-3.5 ${offline === undefined ? 'bg-surface' : 'bg-tint-dead'}`}
    >
      <h1 className="mr-auto truncate">
        {within && (
          <Fragment>
            <Link to={within.to} className="font-normal text-ink-2 no-underline hover:underline">
              {within.label}
            </Link>
            <span className="mx-0.5 font-normal text-ink-3 whitespace-pre"> / </span>
          </Fragment>
        )}
        {title}
      </h1>
      {offline === undefined && actions}
      <Search />
      <Clock />
      <LiveIndicator />
      <ThemeSwitch />
    </header>
  );
}

function Clock() {
  const zone = useZone();
  const now = useNow();
  return (
    <span className="figures text-note whitespace-nowrap text-ink-2 max-sm:hidden">
      {secondsOf(now, zone)} {zoneName(zone, now)}
    </span>
  );
}

function ThemeSwitch() {
  useTheme();
  const dark = isDark();
  const words = dark ? 'Switch to light' : 'Switch to dark';
  return (
    <Tip text={words}>
      <button
        type="button"
        aria-label={words}
        onClick={() => setTheme(dark ? 'light' : 'dark')}
        className="-mr-1.5 grid size-7 place-items-center rounded-control hover:bg-hover coarse:size-11"
      >
        {dark ? <Sun size={16} strokeWidth={1.75} /> : <Moon size={16} strokeWidth={1.75} />}
      </button>
    </Tip>
  );
}

/** "(419) Queue, Harbour Rooms, Pillarbox", and a mark on the icon: seen from another tab. */
function useTitle(page: string): void {
  const counts = useCounts();
  const needs = counts ? counts.dead + counts.held : 0;
  const workspace = useWorkspaceName();
  useEffect(() => {
    document.title = `${needs > 0 ? `(${needs}) ` : ''}${[page, workspace, 'Pillarbox'].filter(Boolean).join(', ')}`;
    document.querySelector('link[rel=icon]')?.setAttribute('href', needs > 0 ? needsYouIcon : plainIcon);
  }, [page, workspace, needs]);
}
