import { CircleHelp, Wrench } from 'lucide-react';
import type { DeadGroup } from '../../api/types';
import { StateGlyph } from '../../parts/glyphs';
import { visible } from '../../parts/visible';
import { Door } from '../campaigns/hold-up';

const LOOKS = {
  over: { label: 'Looks over', colour: 'text-sent', glyph: <StateGlyph state="sent" /> },
  change: {
    label: 'Needs a change',
    colour: 'text-retry',
    glyph: <Wrench size={14} strokeWidth={1.75} aria-hidden />,
  },
  untried: {
    label: 'Not tried since',
    colour: 'text-ink-2',
    glyph: <CircleHelp size={14} strokeWidth={1.75} aria-hidden />,
  },
};

export const OutlookGlyph = ({ outlook }: Pick<DeadGroup, 'outlook'>) => (
  <span className={`mt-0.5 block shrink-0 ${LOOKS[outlook].colour}`}>{LOOKS[outlook].glyph}</span>
);

/** What a retry would do, and what that rests on. */
export function Outlook({ outlook, sentence, remedy }: Pick<DeadGroup, 'outlook' | 'sentence' | 'remedy'>) {
  const { label, colour, glyph } = LOOKS[outlook];
  return (
    <>
      <span className={`flex items-center gap-1.5 font-semibold ${colour}`}>
        {glyph}
        {label}
      </span>
      <span className="block text-ink-2">
        <bdi>{visible(sentence)}</bdi>
        {remedy && (
          <>
            {' '}
            <Door to={remedy.to}>{visible(remedy.verb)}</Door>
          </>
        )}
      </span>
    </>
  );
}
