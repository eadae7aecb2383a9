import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { presentShortcuts } from '../keys/keys';
import { Dialog } from '../parts/dialog';

const shown = (keys: string): string =>
  keys.replace('mod+', navigator.platform.startsWith('Mac') ? '⌘ ' : 'Ctrl ').replace('Escape', 'Esc');

/** What the keys do on the page that is open. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const [shortcuts] = useState(presentShortcuts);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-5 gap-y-1.5">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-mark border border-line px-1.5 py-px">{shown(keys)}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-note text-ink-2">
        They can be switched off in{' '}
        <Link to="/settings/you" onClick={onClose}>
          Settings › You
        </Link>
        .
      </p>
    </Dialog>
  );
}
