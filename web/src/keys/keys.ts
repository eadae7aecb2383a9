import { useEffect, useRef } from 'react';
import { createKeptStore } from '../store';

/** What a key does where it works. `keys` is one key (`j`), a chord (`mod+k`) or two in a row (`g q`). */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
  /** Works while somebody types, too. */
  readonly whileTyping?: boolean;
}

const enabled = createKeptStore(
  'pillarbox.keys',
  true,
  (value): value is boolean => typeof value === 'boolean',
);
export const useKeysEnabled = enabled.use;
export const setKeysEnabled = enabled.set;

/** The last one that was mounted goes first: a dialog before its page. */
const layers: { readonly current: readonly Shortcut[] }[] = [];

export const presentShortcuts = (): readonly Shortcut[] => {
  const seen = new Set<string>();
  return [...layers].reverse().flatMap(({ current }) =>
    current.filter(({ keys }) => {
      if (seen.has(keys)) return false;
      seen.add(keys);
      return true;
    }),
  );
};

/** These work while the component is mounted. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const layer = useRef(shortcuts);
  useEffect(() => {
    layer.current = shortcuts;
  });
  useEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

const SEQUENCE_MS = 1_200;
let first: { readonly key: string; readonly at: number } | undefined;

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  // A dialog has keys of its own; the page behind it has none.
  const inDialog = document.querySelector('dialog:modal') !== null;
  const typing = isTyping(event.target);
  const key = nameOf(event);
  const pair = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined;
  first = undefined;
  const shortcuts = presentShortcuts().filter(
    ({ keys, whileTyping }) =>
      (!typing || whileTyping === true) && (enabled.get() || keys.startsWith('mod+') || keys === 'Escape'),
  );
  const found = shortcuts.find(({ keys }) => keys === pair) ?? shortcuts.find(({ keys }) => keys === key);
  if (inDialog && !found?.keys.startsWith('mod+')) return;
  if (found) {
    event.preventDefault();
    found.run();
  } else if (shortcuts.some(({ keys }) => keys.startsWith(`${key} `))) {
    first = { key, at: event.timeStamp };
  }
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return `mod+${plain}`;
  if (altKey) return `alt+${plain}`;
  // "?" needs Shift on most keyboards and is still one key.
  return shiftKey && /^(?:[a-z]|\w{2,})$/.test(plain) ? `Shift+${plain}` : plain;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}

export function startKeys(): void {
  document.addEventListener('keydown', press);
}
