import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Level } from '../api/types';
import { classNames } from './class-names';
import { LevelGlyph } from './glyphs';

interface Props {
  readonly level?: Level;
  /** In place of the level's glyph. */
  readonly glyph?: ReactNode;
  /** What is true now and what a person must do, as the server words it. */
  readonly sentence: string;
  readonly evidence?: ReactNode;
  /** Up to two. */
  readonly cells?: readonly ReactNode[];
  readonly action?: ReactNode;
  /** Beside a list, where there is less room. */
  readonly small?: boolean;
}

const ANNOUNCED_AT_MOST_EVERY_MS = 30_000;

/** The enamel plate on a pillar box: one sentence that answers the page. One per view. */
export function Plate({
  level = 'fine',
  glyph,
  sentence,
  evidence,
  cells = [],
  action,
  small = false,
}: Props) {
  const id = useId();
  const announced = useAnnounced(sentence);
  return (
    <section aria-labelledby={id} className="rounded-panel border border-plate-rule bg-plate p-[3px]">
      <div
        className={classNames(
          'flex flex-wrap items-center gap-y-3 rounded-[4px] border border-plate-hair px-4',
          small ? 'gap-x-4 py-2.5' : 'gap-x-5 py-3.5',
        )}
      >
        <div className="max-sm:hidden">{glyph ?? <LevelGlyph level={level} />}</div>
        <div className="min-w-0 flex-1 basis-72">
          <h2
            id={id}
            className={classNames(
              'font-[680] text-pretty break-words',
              small ? 'text-title sm:text-[15px]' : 'text-sentence',
            )}
          >
            {sentence}
          </h2>
          {evidence !== undefined && <div className="text-table text-ink-2 break-words">{evidence}</div>}
        </div>
        {action}
        {cells.map((cell, n) => (
          <div
            key={n}
            className="border-plate-hair max-sm:w-full sm:flex sm:items-center sm:self-stretch sm:border-l sm:pl-4"
          >
            {cell}
          </div>
        ))}
      </div>
      <p role="status" aria-live="polite" className="sr-only">
        {announced}
      </p>
    </section>
  );
}

/** Not each tick of a number: only another meaning, and not more often than one can listen. */
function useAnnounced(sentence: string): string {
  const [announced, announce] = useState('');
  const last = useRef({ meaning: meaningOf(sentence), at: 0 });
  useEffect(() => {
    const meaning = meaningOf(sentence);
    if (meaning === last.current.meaning) return;
    const wait = Math.max(0, last.current.at + ANNOUNCED_AT_MOST_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = { meaning, at: Date.now() };
      announce(sentence);
    }, wait);
    return () => clearTimeout(timer);
  }, [sentence]);
  return announced;
}

const meaningOf = (sentence: string): string => sentence.replaceAll(/\d[\d,.:]*/g, '#');
