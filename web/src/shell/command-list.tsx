import { useState } from 'react';
import { presentShortcuts } from '../keys/keys';
import { Dialog } from '../parts/dialog';
import { lineId, LineList, stepOf, type Line } from './line-list';
import { useFound } from './use-found';

const LIST = 'commands';

/** Everything that has a key, and whatever has a name, found by it. */
export function CommandList({ onClose }: { readonly onClose: () => void }) {
  const [all] = useState(presentShortcuts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const things = useFound(text);
  const found: readonly Line[] = [
    ...all
      .filter(({ does }) => does.toLowerCase().includes(text.trim().toLowerCase()))
      .map(({ keys, does, run }) => ({ key: keys, label: does, aside: keys.replace('mod+', 'Ctrl '), run })),
    ...things,
  ];
  const run = (line: Line | undefined) => {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(() => line?.run());
  };
  const press = (event: React.KeyboardEvent) => {
    const step = stepOf(event);
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
        aria-controls={LIST}
        aria-activedescendant={found[at] ? lineId(LIST, at) : undefined}
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
      <LineList {...{ id: LIST, label: 'Commands', lines: found, at }} onRun={run} className="max-h-72" />
      {found.length === 0 && (
        <p className="text-ink-2">No command, campaign, contact, sequence or template has these words.</p>
      )}
    </Dialog>
  );
}
