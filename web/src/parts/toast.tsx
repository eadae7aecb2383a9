import { useEffect, useState } from 'react';
import { createStore } from '../store';
import { useShortcuts } from '../keys/keys';

export interface Toast {
  readonly text: string;
  /** What happens when the time is over; Undo keeps it from happening. */
  readonly commit?: () => void;
  readonly onUndo?: () => void;
  readonly tone?: 'plain' | 'fault';
}

const STAYS_MS = 7_000;
const present = createStore<(Toast & { readonly n: number }) | undefined>(undefined);
let shown = 0;

/** One at a time: the next one settles what the last one waited with. */
export function showToast(toast: Toast): void {
  settle();
  shown += 1;
  present.set({ ...toast, n: shown });
}

/** Undo is over: what waits is done. */
function settle(): void {
  const toast = present.get();
  present.set(undefined);
  toast?.commit?.();
}

/** Whoever closes the page has decided. */
addEventListener('pagehide', settle);

export function Toaster() {
  const toast = present.use();
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-5 z-40 flex justify-center px-4 max-sm:bottom-20"
    >
      {toast && <Shown key={toast.n} toast={toast} />}
    </div>
  );
}

function Shown({ toast }: { readonly toast: Toast }) {
  const [left, setLeft] = useState(STAYS_MS);
  const [stays, setStays] = useState(false);
  useEffect(() => {
    if (stays) return;
    const timer = setInterval(() => setLeft((ms) => ms - 1_000), 1_000);
    return () => clearInterval(timer);
  }, [stays]);
  useEffect(() => {
    if (left <= 0) settle();
  }, [left]);
  const undo = () => {
    present.set(undefined);
    toast.onUndo?.();
  };
  useShortcuts(toast.commit ? [{ keys: 'z', does: 'undo', run: undo }] : []);
  return (
    <div
      onPointerEnter={() => setStays(true)}
      onPointerLeave={() => setStays(false)}
      onFocus={() => setStays(true)}
      onBlur={() => setStays(false)}
      className="pointer-events-auto flex max-w-xl animate-rise items-center gap-4 rounded-panel bg-primary px-4 py-2.5 text-on-primary shadow-float"
    >
      <span className="min-w-0 break-words">{toast.text}</span>
      {toast.commit ? (
        <>
          <button type="button" onClick={undo} className="font-bold underline underline-offset-3">
            Undo
          </button>
          <span aria-hidden className="figures text-note opacity-80">
            {Math.max(0, left / 1_000)} s
          </span>
        </>
      ) : (
        <button type="button" onClick={settle} className="text-note underline underline-offset-3">
          Close
        </button>
      )}
    </div>
  );
}
