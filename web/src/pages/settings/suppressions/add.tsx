import { useState } from 'react';
import { suppressSeveral } from '../../../api/suppressions';
import { Button } from '../../../parts/button';
import { Fault } from '../../../parts/form/fault';
import { Field } from '../../../parts/form/field';
import { LinesInput, TextInput } from '../../../parts/form/inputs';
import { useSubmit } from '../../../parts/form/use-submit';
import { numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { visible } from '../../../parts/visible';
import { addressesIn, MOST_ADDRESSES, piecesOf } from './addresses-in';

const AT_ONCE = 1_000;
const LARGEST_FILE = 10_000_000;
const SHOWN_REFUSALS = 20;

interface Done {
  readonly sentences: readonly string[];
  readonly refused: readonly { readonly line: number; readonly email: string; readonly why: string }[];
}

/** One by one, or a whole file. What waits for them is cancelled, and it is said how much. */
export function AddSuppressions() {
  const submit = useSubmit();
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [progress, setProgress] = useState<readonly [number, number]>();
  const [done, setDone] = useState<Done>();
  const [tooMuch, setTooMuch] = useState<string>();
  const [over, setOver] = useState(false);
  const found = addressesIn(text);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setTooMuch(file.size > LARGEST_FILE ? 'This file is larger than 10 MB.' : undefined);
    if (file.size <= LARGEST_FILE) setText(await file.text());
  };
  const suppress = () => {
    if (found.length > MOST_ADDRESSES) {
      setTooMuch(`These are ${numberWords(found.length)}; up to 50,000 are taken at once.`);
      return;
    }
    setTooMuch(undefined);
    submit.run(async () => {
      setDone(undefined);
      let [added, known, cancelled, seen] = [0, 0, 0, 0];
      const refused: Done['refused'][number][] = [];
      const sentences: string[] = [];
      for (const piece of piecesOf(found, AT_ONCE)) {
        setProgress([seen, found.length]);
        const answer = await suppressSeveral(
          piece.map(({ email }) => email),
          note.trim(),
        );
        seen += piece.length;
        added += answer.added;
        known += answer.known;
        cancelled += answer.cancelled;
        sentences.push(answer.sentence);
        for (const { index, why } of answer.refused) {
          const place = piece[index];
          if (place) refused.push({ ...place, why });
        }
      }
      const all = `${numberWords(added)} are not written to any more, of which ${numberWords(known)} were on the list before. ${numberWords(cancelled)} waiting mails were cancelled.`;
      setDone({ sentences: sentences.length === 1 ? sentences : [all], refused });
      // What was refused stays, to be mended.
      setText(refused.map(({ email }) => email).join('\n'));
      if (refused.length === 0) setNote('');
    });
  };
  return (
    <Panel title="Add">
      <form
        aria-label="Add"
        className={`flex flex-col gap-2.5 p-3.5 ${over ? 'outline-2 -outline-offset-4 outline-focus outline-dashed' : ''}`}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          suppress();
        }}
      >
        <Fault text={tooMuch ?? submit.faultBesides('note')} />
        <Field label="Addresses, one per line">
          <LinesInput value={text} required spellCheck={false} onChange={setText} />
        </Field>
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Why, for the record" className="flex-1 basis-48" error={submit.faultOf('note')}>
            <TextInput value={note} maxLength={500} onChange={setNote} />
          </Field>
          <Button type="submit" busy={submit.busy}>
            {found.length > 1 ? `Suppress ${numberWords(found.length)}` : 'Suppress'}
          </Button>
        </div>
        <p className="text-note text-ink-2">
          What already waits for it is cancelled at once. A CSV of up to 50,000 addresses can be dropped here,
          or{' '}
          <label className="inline-block cursor-pointer text-link underline underline-offset-3 focus-within:outline-2 focus-within:outline-focus">
            chosen
            <input
              type="file"
              accept=".csv,text/csv,text/plain"
              aria-label="CSV file of addresses"
              className="sr-only"
              onChange={(event) => {
                void take(event.target.files?.[0]);
                event.target.value = '';
              }}
            />
          </label>
          .
        </p>
        <div role="status" className="text-table">
          {submit.busy && progress && progress[1] > AT_ONCE && (
            <p>
              {numberWords(progress[0])} of {numberWords(progress[1])}.
            </p>
          )}
          {!submit.busy && done && <Told {...done} />}
        </div>
      </form>
    </Panel>
  );
}

const Told = ({ sentences, refused }: Done) => (
  <>
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {refused.length > 0 && (
      <>
        <p className="mt-1 font-semibold">{numberWords(refused.length)} left out:</p>
        <ul className="wrap-anywhere text-ink-2">
          {refused.slice(0, SHOWN_REFUSALS).map(({ line, email, why }) => (
            <li key={line}>
              Line {line}: <bdi>{visible(email)}</bdi> {why}
            </li>
          ))}
          {refused.length > SHOWN_REFUSALS && (
            <li>and {numberWords(refused.length - SHOWN_REFUSALS)} more</li>
          )}
        </ul>
      </>
    )}
  </>
);
