import type { Verification } from '../../api/types';
import { AttemptGlyph, LevelGlyph } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';

export interface Verified {
  readonly at: string;
  readonly answer: Verification;
}

/** What the server said, word for word, and what receivers find in DNS. */
export const VerificationPanel = ({ verified: { at, answer } }: { readonly verified: Verified }) => (
  <Panel title="Verified" note={<Time at={at} />}>
    <div className="flex gap-2.5 p-3.5" role="status">
      <span className="mt-0.5">
        <AttemptGlyph outcome={answer.ok ? 'success' : 'failed'} />
      </span>
      <div className="min-w-0">
        <strong>
          {answer.ok
            ? 'It connected and signed in. No mail was sent.'
            : 'It could not get as far as sending. No mail was sent.'}
        </strong>
        {answer.error && (
          <>
            <code className="mt-1.5 block break-words">
              {answer.error.code} {visible(answer.error.message)}
            </code>
            <p className="mt-1 text-note text-ink-2">{CLASS_WORDS[answer.error.class] ?? ''}</p>
          </>
        )}
      </div>
    </div>
    {answer.records.length > 0 && (
      <ul aria-label="What DNS says" className="border-t border-line py-1.5">
        {answer.records.map(({ kind, level, sentence }) => (
          <li key={kind} className="flex gap-2.5 px-3.5 py-1">
            <span className="mt-0.5">
              <LevelGlyph level={level} size={14} />
            </span>
            <span className="w-16 shrink-0 font-semibold">{kind.toUpperCase()}</span>
            <span className="min-w-0 break-words wrap-anywhere">{visible(sentence)}</span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);

const CLASS_WORDS: Readonly<Record<string, string>> = {
  account: 'A send would pause the account. Change its settings, then verify again.',
  retryable: 'A send would be tried again later.',
  rate_limited: 'The account would rest before the next try.',
};
