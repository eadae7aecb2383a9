import { StateGlyph } from '../../parts/glyphs';
import type { RefusalWords } from './refusal-words';

/** Why somebody was not let in. */
export const Refusal = ({ words }: { readonly words: RefusalWords | undefined }) => (
  <div role="alert">
    {words && (
      <div className="mb-5 flex gap-3 rounded-control bg-tint-dead px-3.5 py-2.5">
        <span className="mt-1">
          <StateGlyph state="dead" />
        </span>
        <div>
          <strong className="block">{words.title}</strong>
          {words.text}
        </div>
      </div>
    )}
  </div>
);
