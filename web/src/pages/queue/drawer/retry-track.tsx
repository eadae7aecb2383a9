import type { MessageDetail } from '../../../api/types';
import { AttemptGlyph } from '../../../parts/glyphs';
import { useNow } from '../../../time/clock';
import { secondsOf } from '../../../time/words';
import { useZone } from '../../../time/zone';
import { trackOf, type Mark } from './track';

/** One line of time. The timeline below it says the same in words. */
export function RetryTrack({ message }: { readonly message: MessageDetail }) {
  const now = useNow();
  const zone = useZone();
  const marks = trackOf(message, now);
  if (marks.length === 0) return null;
  const present = marks.find(({ kind }) => kind === 'now')?.left ?? 100;
  return (
    <div aria-hidden className="relative mx-3 mt-5 mb-1 h-10 text-note">
      <div className="absolute inset-x-0 top-[7px] h-px bg-line-strong opacity-60" />
      <div className="absolute top-[6.5px] left-0 h-0.5 bg-ink" style={{ width: `${present}%` }} />
      {marks.map((mark, n) => (
        <div key={n} className="absolute top-0 -translate-x-1/2" style={{ left: `${mark.left}%` }}>
          <MarkShape mark={mark} />
          {mark.labelled && (
            <span
              className={`figures absolute top-5 whitespace-nowrap text-ink-2 ${mark.left < 8 ? 'left-0' : mark.left > 92 ? 'right-0' : 'left-1/2 -translate-x-1/2'}`}
            >
              {secondsOf(mark.at, zone)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function MarkShape({ mark }: { readonly mark: Mark }) {
  if (mark.kind === 'now')
    return (
      <span className="relative block h-4 w-0.5 bg-ink">
        <span className="absolute -top-4 left-1/2 -translate-x-1/2 font-bold">now</span>
      </span>
    );
  if (mark.kind === 'planned')
    return (
      <span className="figures grid size-4 place-items-center rounded-full border-2 border-retry bg-surface text-[10px] leading-none font-bold text-retry">
        {mark.number}
      </span>
    );
  return (
    <span className="grid size-4 place-items-center rounded-full bg-surface">
      <AttemptGlyph outcome={mark.outcome ?? 'failed'} />
    </span>
  );
}
