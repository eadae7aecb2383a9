import { copy } from '../parts/copy';
import { Tip } from '../parts/tip';
import { useFromNow } from './clock';
import { fullWords, secondsOf, whenWords } from './words';
import { useZone } from './zone';

interface Props {
  readonly at: string;
  /** What happened then: stands before the full date. */
  readonly label?: string;
  /** Where a zone is meant that is not the workspace's. */
  readonly zone?: string;
  /** How it is said, where how long it takes says less. */
  readonly words?: typeof whenWords;
}

/** When, in few words; the full date and UTC on hover or focus; a click copies it. */
export function Time({ at, label, zone, words: wordsOf = whenWords }: Props) {
  const own = useZone();
  const there = zone ?? own;
  const instant = Date.parse(at);
  const words = useFromNow((now) => wordsOf(instant, now, there));
  return (
    <Tip text={() => [label, wholeWords(instant, there)].filter(Boolean).join(' ')}>
      <button
        type="button"
        className="figures whitespace-nowrap hover:underline hover:decoration-dotted hover:underline-offset-3"
        onClick={(event) => {
          event.stopPropagation();
          copy(at, at);
        }}
      >
        <time dateTime={at}>{words}</time>
      </button>
    </Tip>
  );
}

const wholeWords = (instant: number, zone: string): string =>
  `${fullWords(instant, zone)}${zone === 'UTC' ? '' : ` · ${secondsOf(instant, 'UTC')} UTC`}`;
