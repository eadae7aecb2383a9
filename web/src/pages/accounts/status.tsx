import type { Account } from '../../api/types';
import { LevelGlyph, StateGlyph } from '../../parts/glyphs';
import { Untrusted } from '../../parts/untrusted';
import { Time } from '../../time/time';

type Standing = Pick<Account, 'status' | 'pauseReason' | 'cooldownUntil' | 'cooldownReason'>;

/** May it send, until when not, and why. A pause needs a person; a rest ends by itself. */
export function AccountStatus({ account }: { readonly account: Standing }) {
  const { status, pauseReason, cooldownUntil, cooldownReason } = account;
  if (status === 'paused') {
    return (
      <Shown glyph={<LevelGlyph level="look" size={16} />}>
        <span className="font-semibold text-retry">
          Paused: <Untrusted text={pauseReason ?? 'by a person'} />
        </span>
      </Shown>
    );
  }
  if (cooldownUntil !== null) {
    return (
      <Shown glyph={<StateGlyph state="scheduled" />}>
        Resting, ends <Time at={cooldownUntil} label="Rests until" />
        {cooldownReason !== null && (
          <span className="block text-note text-ink-2">
            <Untrusted text={cooldownReason} />
          </span>
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
