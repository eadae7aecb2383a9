import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofExplanation } from '../../../api/queries';
import type { Message } from '../../../api/types';
import { buttonLook } from '../../../parts/button';
import { StateGlyph } from '../../../parts/glyphs';
import { Plate } from '../../../parts/plate';
import { visible } from '../../../parts/visible';
import { Time } from '../../../time/time';
import { Gone } from './gone';

const UNTIL: Readonly<Record<string, string>> = { retry_wait: 'Next try', scheduled: 'Due' };

/** What an account may send holds it back. */
const LIMITED: ReadonlySet<string> = new Set([
  ...['outside_window', 'holiday', 'hourly_limit', 'daily_limit', 'weekly_limit'],
  ...['monthly_limit', 'ramp_up', 'workspace_quota', 'spacing'],
]);

/** Why it has not left, in the words of the code that decides. */
export function Why({ message }: { readonly message: Message }) {
  const { data, error } = useQuery(ofExplanation(message.id));
  if (error && !data) return <Gone error={error} />;
  // Its room is kept, so that nothing below it jumps.
  if (!data) return <div className="min-h-[66px] rounded-panel border border-line bg-plate" />;
  return (
    <Plate
      small
      glyph={<StateGlyph state={data.state} size={18} />}
      sentence={visible(data.headline)}
      evidence={data.evidence === null ? undefined : visible(data.evidence)}
      {...(LIMITED.has(data.reason) && {
        action: (
          <Link to="/limits" className={buttonLook()}>
            Limits
          </Link>
        ),
      })}
      cells={
        data.until === null
          ? []
          : [
              <span key="until" className="text-table">
                <span className="block text-note text-ink-2">{UNTIL[data.reason] ?? 'Until'}</span>
                <strong>
                  <Time at={data.until} />
                </strong>
              </span>,
            ]
      }
    />
  );
}
