import type { TemplateCheck, TextDraft } from '../../api/templates';
import { StateGlyph } from '../../parts/glyphs';
import { visible } from '../../parts/visible';
import { unseenIn } from '../sequences/marks';
import { sourceOf, type Fault } from './text-draft';

interface Props {
  readonly id: string;
  readonly draft: TextDraft;
  readonly checked: TemplateCheck['texts'][number] | undefined;
  readonly onGo: (fault: Fault) => void;
  readonly onMend?: (fault: Fault) => void;
}

const PARTS = { subject: 'Subject', html: 'HTML', text: 'Plain text', mjml: 'MJML' } as const;

/** What is wrong with one text, by its line, and what may be meant; or that it is whole. */
export const Faults = ({ id, draft, checked, onGo, onMend }: Props) => (
  <div id={id} className="flex flex-col gap-1.5">
    {checked?.faults.length === 0 && (
      <p className="flex min-h-10 items-start gap-2 rounded-control bg-sunken px-2.5 py-1.5 text-table">
        <span className="mt-0.5">
          <StateGlyph state="sent" size={13} />
        </span>
        <span>{checked.verdict}</span>
      </p>
    )}
    {checked?.faults.map((fault, n) => (
      <div
        key={n}
        className={`flex items-start gap-2 rounded-control px-2.5 py-1.5 text-table wrap-anywhere ${fault.blocks ? 'bg-tint-dead' : 'bg-tint-retry'}`}
      >
        <span className="mt-0.5">
          <StateGlyph state={fault.blocks ? 'dead' : 'held'} size={13} />
        </span>
        <span className="min-w-0">
          <button
            type="button"
            className="font-bold underline underline-offset-3"
            onClick={() => onGo(fault)}
          >
            {fault.part === sourceOf(draft) ? '' : `${PARTS[fault.part]}, `}
            {fault.part === sourceOf(draft) ? 'Line' : 'line'} {fault.line}
          </button>
          : <bdi>{visible(fault.sentence)}</bdi>.{' '}
          {fault.suggestion !== null &&
            (fault.name !== null && onMend ? (
              <>
                Did you mean{' '}
                <button
                  type="button"
                  className="text-link underline underline-offset-3"
                  onClick={() => onMend(fault)}
                >
                  {visible(fault.suggestion)}
                </button>
                ?
              </>
            ) : (
              <>
                Did you mean <code>{visible(fault.suggestion)}</code>?
              </>
            ))}
        </span>
      </div>
    ))}
    {unseenIn(draft[sourceOf(draft)] ?? '').map(({ line, codes }) => (
      <p key={line} className="text-note text-ink-2">
        Line {line} holds what nobody sees: <code>{codes}</code>.
      </p>
    ))}
  </div>
);
