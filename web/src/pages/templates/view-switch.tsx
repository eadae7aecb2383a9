export type View = 'side' | 'one';

const WORDS: Readonly<Record<View, string>> = { side: 'Side by side', one: 'One' };

/** How many locales are seen at once, where there is room for more than one. */
export const ViewSwitch = ({
  value,
  onChange,
}: {
  readonly value: View;
  readonly onChange: (view: View) => void;
}) => (
  <div
    role="group"
    aria-label="Locales at once"
    className="flex overflow-hidden rounded-control border border-line-strong text-table font-semibold max-lg:hidden"
  >
    {(['side', 'one'] as const).map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={value === each}
        onClick={() => onChange(each)}
        className="min-h-[26px] px-2.5 hover:bg-hover aria-pressed:bg-primary aria-pressed:text-on-primary coarse:min-h-11"
      >
        {WORDS[each]}
      </button>
    ))}
  </div>
);
