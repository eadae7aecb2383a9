import { useState } from 'react';
import { numberWords } from '../../parts/number-words';
import { BarButton, SelectionBar } from '../../parts/selection';
import { AddToCampaign } from './add-to-campaign';

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** What can be done with those who are chosen. */
export function BulkBar({ ids, onClear }: Props) {
  const [adding, setAdding] = useState(false);
  return (
    <SelectionBar count={ids.length} onClear={onClear} className="static">
      <BarButton first onClick={() => setAdding(true)}>
        Add {numberWords(ids.length)} to a campaign…
      </BarButton>
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
    </SelectionBar>
  );
}
