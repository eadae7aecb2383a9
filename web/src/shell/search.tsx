import { useNavigate } from '@tanstack/react-router';
import { Search as Glass } from 'lucide-react';
import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react';
import { useShortcuts } from '../keys/keys';

/** Loaded when somebody types. */
const Found = lazy(async () => ({ default: (await import('./found')).Found }));
const LIST = 'found';

/**
 * Finds anything from anywhere: a mail by an address, an id, a key, a Message-ID or words of the subject; a campaign, a
 * contact, a sequence or a template by its name.
 */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const keys = useRef<((event: KeyboardEvent) => void) | null>(null);
  const [text, setText] = useState('');
  const [typing, setTyping] = useState(false);
  const [active, setActive] = useState<string>();
  const navigate = useNavigate();
  const open = typing && text.trim().length > 1;
  useShortcuts([{ keys: '/', does: 'search', run: () => input.current?.focus() }]);
  return (
    <form
      role="search"
      className="relative max-sm:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        const q = text.trim();
        setTyping(false);
        void navigate({ to: '/queue', search: q === '' ? {} : { q } });
      }}
    >
      <Glass size={14} aria-hidden className="absolute top-2 left-2.5 text-ink-2" />
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-expanded={open}
        aria-controls={LIST}
        aria-activedescendant={open ? active : undefined}
        aria-label="Search mail by address, subject or id, and all else by its name"
        placeholder="Address, subject or id"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setTyping(true);
        }}
        onBlur={() => setTyping(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
          else keys.current?.(event);
        }}
        className="h-8 w-56 rounded-control border border-line-strong bg-surface pr-2 pl-8 text-table placeholder:text-ink-3 max-lg:w-40"
      />
      {open && (
        <Suspense fallback={null}>
          <Found
            {...{ id: LIST, text, keys }}
            onActive={setActive}
            onDone={() => {
              setText('');
              input.current?.blur();
            }}
          />
        </Suspense>
      )}
    </form>
  );
}
