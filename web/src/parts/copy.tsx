import { Copy as Icon } from 'lucide-react';
import { showToast } from './toast';

export function copy(text: string, name: string): void {
  void navigator.clipboard.writeText(text).then(
    () => showToast({ text: `Copied ${name}.` }),
    () => showToast({ text: 'The browser did not allow copying.', tone: 'fault' }),
  );
}

/** One of the few icons without a word. */
export const CopyButton = ({ text, name }: { readonly text: string; readonly name: string }) => (
  <button
    type="button"
    aria-label={`Copy ${name}`}
    onClick={() => copy(text, name)}
    className="inline-grid size-6 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink coarse:size-11"
  >
    <Icon size={14} strokeWidth={1.75} aria-hidden />
  </button>
);
