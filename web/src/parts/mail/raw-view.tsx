import { useId, useMemo, useRef, useState } from 'react';
import { Button, buttonLook } from '../button';
import { classNames } from '../class-names';
import { copy } from '../copy';
import { visible } from '../visible';

interface Props {
  readonly text: string;
  /** What this is, for who hears it: "The mail as it came". */
  readonly label: string;
  /** Only its beginning is here. */
  readonly folded?: boolean;
  /** Where all of it can be saved from. */
  readonly download?: string;
}

/** Text as it is: numbered lines, wrapped or not, searched, copied. */
export function RawView({ text, label, folded = false, download }: Props) {
  const [wraps, setWraps] = useState(true);
  const [sought, setSought] = useState('');
  const lines = useMemo(
    () =>
      text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => visible(line)),
    [text],
  );
  const found = useMemo(() => linesWith(lines, sought), [lines, sought]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const id = useId();
  const goTo = (n: number) => {
    const line = found[n];
    setAt(n);
    if (line !== undefined) list.current?.children[line]?.scrollIntoView({ block: 'center' });
  };
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2 text-table">
        <label htmlFor={id} className="sr-only">
          Search in it
        </label>
        <input
          id={id}
          type="search"
          value={sought}
          placeholder="Search in it"
          onChange={(event) => {
            setSought(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found.length > 0)
              goTo((at + (event.shiftKey ? found.length - 1 : 1)) % found.length);
          }}
          className="h-8 min-w-0 flex-1 basis-40 rounded-control border border-line-strong bg-surface px-2.5 coarse:h-11"
        />
        <span role="status" className="figures text-note text-ink-2">
          {sought !== '' && (found.length === 0 ? 'Not in it' : `${at + 1} of ${found.length} lines`)}
        </span>
        <label className="flex min-h-8 items-center gap-1.5 coarse:min-h-11">
          <input type="checkbox" checked={wraps} onChange={(event) => setWraps(event.target.checked)} />
          Wrap
        </label>
        <Button kind="quiet" onClick={() => copy(text, folded ? 'its beginning' : 'it')}>
          Copy
        </Button>
        {download !== undefined && (
          <a href={download} download className={buttonLook('quiet')}>
            Download
          </a>
        )}
      </div>
      <div tabIndex={0} role="region" aria-label={label} className="overflow-x-auto py-2">
        <ol ref={list} className={classNames('font-mono text-mono', !wraps && 'w-max')}>
          {lines.map((line, n) => (
            <li
              key={n}
              className={classNames(
                'flex gap-3 px-3.5',
                found[at] === n ? 'bg-tint-retry' : isIn(found, n) && 'bg-sel',
              )}
            >
              <span aria-hidden className="figures w-9 shrink-0 text-right text-ink-3 select-none">
                {n + 1}
              </span>
              <bdi
                className={classNames('min-w-0', wraps ? 'break-all whitespace-pre-wrap' : 'whitespace-pre')}
              >
                {line}
              </bdi>
            </li>
          ))}
        </ol>
      </div>
      {folded && (
        <p className="border-t border-line px-3.5 py-2 text-table text-ink-2">
          Only the first 200 KB are shown. Download it to see the rest.
        </p>
      )}
    </div>
  );
}

function linesWith(lines: readonly string[], sought: string): readonly number[] {
  if (sought === '') return [];
  const wanted = sought.toLowerCase();
  return lines.flatMap((line, n) => (line.toLowerCase().includes(wanted) ? n : []));
}

/** They are in order. */
function isIn(found: readonly number[], line: number): boolean {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return found[low] === line;
}
