import { useState } from 'react';
import { numberWords } from '../../parts/number-words';
import { AddToCampaign } from './add-to-campaign';

const BAR_BUTTON =
  'min-h-7 rounded-control border border-on-primary px-2.5 font-semibold whitespace-nowrap hover:opacity-85 coarse:min-h-11';

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** What can be done with those who are chosen, and with how many. */
export function BulkBar({ ids, onClear }: Props) {
  const [adding, setAdding] = useState(false);
  const n = numberWords(ids.length);
  return (
    <section
      aria-label="Selection"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel bg-primary px-3.5 py-2.5 text-table text-on-primary shadow-float"
    >
      <strong>{n} selected</strong>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <button
          type="button"
          className={`${BAR_BUTTON} bg-on-primary text-primary`}
          onClick={() => setAdding(true)}
        >
          Add {n} to a campaign…
        </button>
        <button type="button" className="min-h-8 px-1.5 coarse:min-h-11" onClick={onClear}>
          Clear
        </button>
      </span>
      {adding && (
        <AddToCampaign
          contactIds={ids}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            onClear();
          }}
        />
      )}
    </section>
  );
}
