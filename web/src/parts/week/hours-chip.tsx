import { X } from 'lucide-react';
import { useState } from 'react';
import { intervalWords, readInterval, type Interval } from './week';

interface Props {
  readonly interval: Interval;
  readonly day: string;
  readonly onChange: (interval: Interval) => void;
  readonly onRemove: () => void;
}

/** What is dragged can be typed: "09:00–12:30". What cannot be read stays until it can, or Escape takes it back. */
export function HoursChip({ interval, day, onChange, onRemove }: Props) {
  const [typed, setTyped] = useState<string>();
  const words = intervalWords(interval);
  const wrong = typed !== undefined && readInterval(typed) === undefined;
  const take = () => {
    if (typed === undefined) return;
    const read = readInterval(typed);
    if (read) onChange(read);
    setTyped(undefined);
  };
  return (
    <span
      className={`inline-flex h-[26px] items-center rounded-control border bg-surface text-note coarse:h-11 ${
        wrong ? 'border-dead outline-1 outline-dead' : 'border-line-strong'
      }`}
    >
      <input
        value={typed ?? words}
        aria-label={`${day}, hours`}
        aria-invalid={wrong || undefined}
        title={wrong ? 'Write it such as 09:00–12:30' : undefined}
        size={10}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            take();
          } else if (event.key === 'Escape' && typed !== undefined) {
            event.preventDefault();
            setTyped(undefined);
          }
        }}
        className="figures w-[84px] rounded-control bg-transparent pl-1.5 disabled:text-ink-2"
      />
      <button
        type="button"
        aria-label={`Remove ${words} of ${day}`}
        onClick={onRemove}
        className="grid h-full min-w-6 place-items-center rounded-control text-ink-2 hover:text-ink disabled:hidden coarse:min-w-11"
      >
        <X size={11} strokeWidth={2} aria-hidden />
      </button>
    </span>
  );
}
