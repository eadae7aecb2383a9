import { useWide } from '../../parts/media';

export type View = 'side' | 'one' | 'headers';

const WORDS: Readonly<Record<View, string>> = { side: 'Side by side', one: 'One', headers: 'Headers' };

interface Props {
  readonly value: View;
  /** There is only one to see at once. */
  readonly alone: boolean;
  readonly onChange: (view: View) => void;
}

/** What is seen of the locales, and of how many at once. */
export function ViewSwitch({ value, alone, onChange }: Props) {
  const wide = useWide();
  const single = alone || !wide;
  return (
    <div
      role="group"
      aria-label="View"
      className="flex shrink-0 overflow-hidden rounded-control border border-line-strong text-table font-semibold"
    >
      {(['side', 'one', 'headers'] as const)
        .filter((each) => each !== 'side' || !single)
        .map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === value || (single && each === 'one' && value === 'side')}
            onClick={() => onChange(each)}
            className="min-h-[26px] px-2.5 whitespace-nowrap hover:bg-hover aria-pressed:bg-primary aria-pressed:text-on-primary coarse:min-h-11"
          >
            {WORDS[each]}
          </button>
        ))}
    </div>
  );
}
