import { useBlocker } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useShortcuts } from '../../keys/keys';
import { useOffline } from '../../shell/live-indicator';
import { Button } from '../button';
import { confirm } from '../confirm';

interface Props {
  /** What would change: "Name", "Retention". Nothing: there is no bar. */
  readonly changed: readonly string[];
  readonly busy: boolean;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
  /** What saving does, on the button; null: it cannot be saved as it is. */
  readonly action?: string | null;
  /** What it would do, in a sentence. */
  readonly effect?: string | undefined;
}

/** Stays in sight while something is not saved, and asks whoever leaves without saving. */
export function SaveBar({ changed, busy, onDiscard, onSave, action = 'Save', effect }: Props) {
  const offline = useOffline();
  const unsaved = changed.length > 0;
  const save = () => {
    if (!busy && offline === undefined && action !== null) onSave();
  };
  useShortcuts(unsaved ? [{ keys: 'mod+s', does: 'save', run: save, whileTyping: true }] : []);
  return (
    <>
      <LeaveGuard unsaved={unsaved} text={`Not saved: ${changed.join(', ')}.`} />
      {unsaved && (
        <div
          role="region"
          aria-label="Changes that are not saved"
          className="sticky bottom-4 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-line-strong bg-surface px-3.5 py-2.5 max-sm:bottom-18"
        >
          <Pencil size={16} strokeWidth={1.75} aria-hidden className="text-retry" />
          <span className="min-w-0 flex-1 basis-40 text-table text-ink-2">
            <strong className="text-ink">Not saved:</strong> {changed.join(', ')}
            {effect !== undefined && `. ${effect}`}
          </span>
          <Button onClick={onDiscard} disabled={busy}>
            Discard
          </Button>
          {offline === undefined && action !== null && (
            <Button kind="primary" hint="Ctrl S" busy={busy} onClick={save}>
              {action}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Whoever leaves is asked first; the browser itself asks who closes the tab. */
export function LeaveGuard({ unsaved, text }: { readonly unsaved: boolean; readonly text: string }) {
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async () =>
      !(await confirm({
        title: 'Leave without saving?',
        text: `${text} Leaving discards it.`,
        action: 'Discard and leave',
      })),
  });
  return null;
}
