import { Outlet, useNavigate } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLive } from '../api/live';
import type { Me } from '../api/types';
import { useShortcuts } from '../keys/keys';
import { floats } from '../parts/floats';
import { Confirmations } from '../parts/confirm';
import { useLater } from '../parts/later';
import { usePhone } from '../parts/media';
import { Toaster } from '../parts/toast';
import { SessionProvider } from '../session';
import { ZoneProvider } from '../time/zone';
import { placesOf } from './places';
import { Rail } from './rail';
import { SessionEnded } from './session-ended';

/** Its menu is heavy, and only a phone has it. */
const BottomBar = lazy(async () => ({ default: (await import('./bottom-bar')).BottomBar }));

/** What is around every page. */
export function Shell({ me, children }: { readonly me: Me; readonly children?: ReactNode }) {
  useLive(me.workspaceId);
  // The frame first: drawn together with a page it would keep the browser busy for too long at once.
  const framed = useLater();
  const phone = usePhone();
  return (
    <SessionProvider me={me}>
      <ZoneProvider>
        <Tooltip.Provider delayDuration={400}>
          <a
            href="#main"
            className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-surface focus:px-3 focus:py-2"
          >
            Skip to the page
          </a>
          {me.installation.demo && <div className="airmail" />}
          <div className="flex min-h-dvh">
            <Rail />
            <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none max-sm:pb-16">
              {framed && <Suspense fallback={null}>{children ?? <Outlet />}</Suspense>}
              <div ref={(place) => place?.append(floats)} />
            </main>
          </div>
          {phone && (
            <Suspense fallback={null}>
              <BottomBar />
            </Suspense>
          )}
          <Keys me={me} />
          <Toaster />
          <Confirmations />
          <SessionEnded />
        </Tooltip.Provider>
      </ZoneProvider>
    </SessionProvider>
  );
}

/** Loaded when somebody asks for them. */
const KeyHelp = lazy(async () => ({ default: (await import('./key-help')).KeyHelp }));
const CommandList = lazy(async () => ({ default: (await import('./command-list')).CommandList }));

function Keys({ me }: { readonly me: Me }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'keys' | 'commands'>();
  const close = () => setOpen(undefined);
  useShortcuts([
    ...placesOf(me).map(({ keys, label, to, search }) => ({
      keys,
      does: `go to ${label}`,
      run: () => void navigate({ to, search: search ?? {} }),
    })),
    { keys: '?', does: 'show these keys', run: () => setOpen('keys') },
    { keys: 'mod+k', does: 'list of commands', run: () => setOpen('commands'), whileTyping: true },
  ]);
  return (
    <Suspense fallback={null}>
      {open === 'keys' && <KeyHelp onClose={close} />}
      {open === 'commands' && <CommandList onClose={close} />}
    </Suspense>
  );
}
