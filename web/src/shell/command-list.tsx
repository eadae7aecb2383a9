import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { presentShortcuts } from '../keys/keys';
import { classNames } from '../parts/class-names';
import { Dialog } from '../parts/dialog';
import { findThings, type Found } from './finders';

interface Line {
  readonly key: string;
  readonly label: string;
  /** The keys that do the same, or what kind of thing it is. */
  readonly aside: string;
  readonly run: () => void;
}

/** Everything that has a key, and whatever has a name, found by it. */
export function CommandList({ onClose }: { readonly onClose: () => void }) {
  const [all] = useState(presentShortcuts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const q = text.trim();
  const things = useThings(q);
  const found: readonly Line[] = [
    ...all
      .filter(({ does }) => does.toLowerCase().includes(q.toLowerCase()))
      .map(({ keys, does, run }) => ({ key: keys, label: does, aside: keys.replace('mod+', 'Ctrl '), run })),
    ...things.map(({ key, label, kind, to }) => ({
      ...{ key, label, aside: kind, run: () => void navigate({ to }) },
    })),
    ...(q.length < LEAST
      ? []
      : [
          {
            ...{ key: 'mail', label: `search mail for “${q}”`, aside: 'mail' },
            run: () => void navigate({ to: '/queue', search: { q } }),
          },
        ]),
  ];
  const run = (line: Line | undefined) => {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(() => line?.run());
  };
  const press = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((present) => Math.max(0, Math.min(found.length - 1, present + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[at]);
    }
  };
  return (
    <Dialog title="Commands" onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        aria-label="Command"
        placeholder="What do you want to do, or whom do you look for?"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="mb-2 w-full rounded-control border border-line-strong bg-surface px-2.5 py-1.5"
      />
      <ul id="commands" role="listbox" aria-label="Commands" className="max-h-72 overflow-y-auto">
        {found.map((line, n) => (
          <li
            key={line.key}
            id={`command-${n}`}
            role="option"
            aria-selected={n === at}
            onClick={() => run(line)}
            className={classNames(
              'flex justify-between gap-4 rounded-control px-2.5 py-1.5',
              n === at && 'bg-sel',
            )}
          >
            <bdi className="min-w-0 wrap-anywhere first-letter:uppercase">{line.label}</bdi>
            <kbd className="shrink-0 text-ink-2">{line.aside}</kbd>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="text-ink-2">No command, campaign, contact or sequence has these words.</p>
      )}
    </Dialog>
  );
}

/** Fewer letters are the beginning of too many names. */
const LEAST = 2;
const PAUSE_MS = 150;

function useThings(q: string): readonly Found[] {
  const [found, setFound] = useState<{ readonly q: string; readonly things: readonly Found[] }>();
  useEffect(() => {
    if (q.length < LEAST) return;
    let stale = false;
    const timer = setTimeout(() => {
      void findThings(q).then((things) => {
        if (!stale) setFound({ q, things });
      });
    }, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [q]);
  return found?.q === q ? found.things : [];
}
