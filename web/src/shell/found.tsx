import { useEffect, useImperativeHandle, useState, type KeyboardEvent, type RefObject } from 'react';
import { lineId, LineList, stepOf, type Line } from './line-list';
import { useFound } from './use-found';

interface Props {
  readonly id: string;
  readonly text: string;
  /** What the keys of the field do while this is open. */
  readonly keys: RefObject<((event: KeyboardEvent) => void) | null>;
  /** The id of the line that is chosen. */
  readonly onActive: (id: string | undefined) => void;
  readonly onDone: () => void;
}

/** Nothing is chosen: Enter looks for a mail, as the field does by itself. */
const NONE = -1;

/** What the words of the search field are the name of: arrows choose, Enter goes there. */
export function Found({ id, text, keys, onActive, onDone }: Props) {
  const lines = useFound(text);
  const [chosen, setChosen] = useState({ text, at: NONE });
  const at = chosen.text === text ? Math.min(chosen.at, lines.length - 1) : NONE;
  const run = (line: Line) => {
    onDone();
    line.run();
  };
  useEffect(() => onActive(at === NONE ? undefined : lineId(id, at)), [at, id, onActive]);
  useImperativeHandle(keys, () => (event: KeyboardEvent) => {
    const step = stepOf(event);
    const line = lines[at];
    if (step !== 0) setChosen({ text, at: Math.max(NONE, Math.min(lines.length - 1, at + step)) });
    else if (event.key === 'Enter' && line) run(line);
    else return;
    event.preventDefault();
  });
  return (
    // A press must not take the focus, which would close the list before it is heard.
    <div
      onMouseDown={(event) => event.preventDefault()}
      className="absolute top-full right-0 z-30 mt-1 w-80 rounded-panel border border-line bg-surface p-1 text-table shadow-float"
    >
      <LineList {...{ id, label: 'Found', lines, at }} onRun={run} className="max-h-80" />
    </div>
  );
}
