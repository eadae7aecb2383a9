import type { Account, AccountDay } from '../../api/types';
import { AttemptGlyph, LevelGlyph, StateGlyph } from '../../parts/glyphs';
import { Untrusted } from '../../parts/untrusted';
import { Time } from '../../time/time';
import { untilWords } from '../../time/until';

type Standing = Pick<Account, 'status' | 'pauseReason' | 'cooldownUntil' | 'cooldownReason'>;

interface Props {
  readonly account: Standing;
  /** What it may do of one thing today; undefined: it is not known yet. */
  readonly day?: Pick<AccountDay, 'guarded' | 'standing' | 'until'> | undefined;
  /** Where times of this account are told. */
  readonly zone?: string | undefined;
  /** Without the reason, where it stands elsewhere. */
  readonly short?: boolean;
}

/** How the reason begins of an account that has stopped because of its bounces or complaints. */
const STOPPED_ITSELF = 'it stopped itself: ';

/** Why it stopped itself; undefined: it did not. */
export const ownReason = (pauseReason: string | null): string | undefined =>
  pauseReason?.startsWith(STOPPED_ITSELF) === true ? pauseReason.slice(STOPPED_ITSELF.length) : undefined;

/** May it send, until when not, and why. A pause needs a person; a rest, a full day and closed hours end by themselves. */
export function AccountStatus({ account, day, zone, short = false }: Props) {
  const { status, pauseReason, cooldownUntil, cooldownReason } = account;
  const at = zone === undefined ? {} : { zone };
  const itself = ownReason(pauseReason) !== undefined;
  if (status === 'paused') {
    return (
      <Shown glyph={<LevelGlyph level="look" size={16} />}>
        <span className="font-semibold text-retry">
          {itself ? (
            'Paused itself'
          ) : short ? (
            'Paused'
          ) : (
            <>
              Paused: <Untrusted text={pauseReason ?? 'by a person'} />
            </>
          )}
        </span>
      </Shown>
    );
  }
  if (cooldownUntil !== null) {
    return (
      <Shown glyph={<AttemptGlyph outcome="rate_limited" />}>
        Resting, ends <Time words={untilWords} at={cooldownUntil} label="Rests until" {...at} />
        {cooldownReason !== null && !short && (
          <span className="block text-note text-ink-2">
            <Untrusted text={cooldownReason} />
          </span>
        )}
      </Shown>
    );
  }
  if (day?.guarded === true && day.standing !== 'open') {
    const full = day.standing === 'full';
    return (
      <Shown glyph={<StateGlyph state="scheduled" />}>
        {full ? 'Full' : 'Outside hours'}
        {day.until !== null && (
          <>
            {full ? ' until ' : ', opens '}
            <Time words={untilWords} at={day.until} label="May send again" {...at} />
          </>
        )}
      </Shown>
    );
  }
  return <Shown glyph={<StateGlyph state="sent" />}>Active</Shown>;
}

const Shown = ({
  glyph,
  children,
}: {
  readonly glyph: React.ReactNode;
  readonly children: React.ReactNode;
}) => (
  <span className="inline-flex items-start gap-2 align-middle">
    <span className="mt-0.5">{glyph}</span>
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </span>
);
