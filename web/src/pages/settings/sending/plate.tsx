import type { SendingPreview } from '../../../api/types';
import { faultWords } from '../../../parts/fault-words';
import { StateGlyph } from '../../../parts/glyphs';
import { Plate } from '../../../parts/plate';
import { timeOf, whenWords } from '../../../time/words';
import { useFromNow } from '../../../time/clock';

interface Props {
  readonly preview: SendingPreview | undefined;
  readonly refusal: unknown;
  readonly never: boolean;
  readonly timezone: string;
}

/** What holds, what saving would do, or why it cannot be saved: all of it as the server answered. */
export function SendingPlate({ preview, refusal, never, timezone }: Props) {
  if (never)
    return (
      <Plate
        level="act"
        sentence="No mail could ever leave: no day has hours."
        evidence="Give at least one day hours, then it can be saved."
      />
    );
  if (refusal !== null)
    return <Plate level="act" sentence="This cannot be saved." evidence={faultWords(refusal)} />;
  if (!preview) return null;
  const { plate, window } = preview;
  return (
    <Plate
      {...plate}
      {...(plate.level === 'fine' && { glyph: <StateGlyph state="scheduled" size={26} /> })}
      cells={[<WindowCell key="window" window={window} timezone={timezone} />]}
    />
  );
}

function WindowCell({
  window: { now, then },
  timezone,
}: {
  readonly window: SendingPreview['window'];
  readonly timezone: string;
}) {
  const words = ({ open, opensAt, closesAt }: typeof now, at: number): string => {
    const edge = open ? closesAt : opensAt;
    if (edge === null) return 'never opens';
    const when = Date.parse(edge);
    const near = when - at < DAY_MS ? timeOf(when, timezone) : whenWords(when, at, timezone);
    return `${open ? 'closes' : 'opens'} ${near}`;
  };
  const first = useFromNow((at) => words(then, at));
  const second = useFromNow((at) => words(now, at));
  return (
    <span className="whitespace-nowrap text-note text-ink-2">
      <span className="block">{then.open ? 'Window open' : 'Window shut'}</span>
      <strong className="figures block text-title text-ink">{first}</strong>
      {first !== second && <span className="figures">now: {second}</span>}
    </span>
  );
}

const DAY_MS = 86_400_000;
