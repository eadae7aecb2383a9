import { useNavigate } from '@tanstack/react-router';
import { Search as Glass } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShortcuts } from '../keys/keys';

/** Finds a mail from anywhere: an address, an id, a key, a Message-ID or words of the subject. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const navigate = useNavigate();
  useShortcuts([{ keys: '/', does: 'search', run: () => input.current?.focus() }]);
  return (
    <form
      role="search"
      className="relative max-sm:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        const q = text.trim();
        void navigate({ to: '/queue', search: q === '' ? {} : { q } });
      }}
    >
      <Glass size={14} aria-hidden className="absolute top-2 left-2.5 text-ink-2" />
      <input
        ref={input}
        type="search"
        aria-label="Search mail by address, subject or id"
        placeholder="Address, subject or id"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
        }}
        className="h-8 w-56 rounded-control border border-line-strong bg-surface pr-2 pl-8 text-table placeholder:text-ink-3 max-lg:w-40"
      />
    </form>
  );
}
