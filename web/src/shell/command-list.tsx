import { useState } from 'react';
import { presentShortcuts, type Shortcut } from '../keys/keys';
import { classNames } from '../parts/class-names';
import { Dialog } from '../parts/dialog';

/** Everything that has a key, found by its name. */
export function CommandList({ onClose }: { readonly onClose: () => void }) {
  const [all] = useState(presentShortcuts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = all.filter(({ does }) => does.toLowerCase().includes(text.trim().toLowerCase()));
  const run = (shortcut: Shortcut | undefined) => {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(() => shortcut?.run());
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
        placeholder="What do you want to do?"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="mb-2 w-full rounded-control border border-line-strong bg-surface px-2.5 py-1.5"
      />
      <ul id="commands" role="listbox" aria-label="Commands" className="max-h-72 overflow-y-auto">
        {found.map((shortcut, n) => (
          <li
            key={shortcut.keys}
            id={`command-${n}`}
            role="option"
            aria-selected={n === at}
            onClick={() => run(shortcut)}
            className={classNames('flex justify-between rounded-control px-2.5 py-1.5', n === at && 'bg-sel')}
          >
            <span className="first-letter:uppercase">{shortcut.does}</span>
            <kbd className="text-ink-2">{shortcut.keys.replace('mod+', 'Ctrl ')}</kbd>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-ink-2">No command has these words.</p>}
    </Dialog>
  );
}
