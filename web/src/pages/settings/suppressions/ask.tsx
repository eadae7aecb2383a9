import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ofWillingness } from '../../../api/suppressions';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/form/field';
import { TextInput } from '../../../parts/form/inputs';
import { StateGlyph } from '../../../parts/glyphs';
import { faultWords } from '../../../parts/fault-words';
import { Panel } from '../../../parts/panel';
import { visible } from '../../../parts/visible';
import { Time } from '../../../time/time';

const LANES = { campaign: 'Campaigns', notification: 'Notifications', outbox: 'Outbox' } as const;

/** Lane by lane, from the code that decides. */
export function WouldWeWrite() {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const { data, error } = useQuery(ofWillingness(asked));
  return (
    <Panel title="Would we write to…">
      <form
        aria-label="Would we write to…"
        className="flex flex-col gap-2.5 p-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(typed.trim());
        }}
      >
        <div className="flex items-end gap-2">
          <Field
            label="Address"
            className="flex-1"
            error={error ? faultWords(error).replace(/^Email: /, '') : undefined}
          >
            <TextInput
              value={typed}
              required
              maxLength={320}
              spellCheck={false}
              autoCapitalize="off"
              onChange={setTyped}
            />
          </Field>
          <Button type="submit">Ask</Button>
        </div>
        <div role="status">
          {data && (
            <>
              <p className="sr-only">{visible(data.sentence)}</p>
              <ul className="text-table">
                {data.lanes.map(({ lane, writes, because, since }) => (
                  <li key={lane} className="flex items-start gap-2 py-0.5">
                    <span className="mt-0.5">
                      <StateGlyph state={writes ? 'sent' : 'cancelled'} />
                    </span>
                    <span>
                      {LANES[lane]}: <strong>{writes ? 'yes' : 'no'}</strong>, {because}
                      {since !== null && (
                        <>
                          {' '}
                          (since <Time at={since} label="Since" />)
                        </>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </form>
    </Panel>
  );
}
