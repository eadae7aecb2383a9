import type { TextDraft } from '../../api/templates';
import { StateGlyph } from '../../parts/glyphs';

interface Props {
  readonly drafts: readonly TextDraft[];
  readonly active: string | undefined;
  readonly faulty: ReadonlySet<string>;
  /** Also where there is room to see them side by side. */
  readonly always: boolean;
  readonly onShow: (locale: string) => void;
}

/** Which locale is written, where not all of them are seen. */
export const LocaleTabs = ({ drafts, active, faulty, always, onShow }: Props) =>
  drafts.length < 2 ? null : (
    <div role="group" aria-label="Locales" className={`flex flex-wrap gap-2 ${always ? '' : 'lg:hidden'}`}>
      {drafts.map(({ locale }) => (
        <button
          key={locale}
          type="button"
          aria-pressed={locale === active}
          onClick={() => onShow(locale)}
          className="flex min-h-8 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-2.5 text-table aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:font-bold aria-pressed:text-on-primary coarse:min-h-11 coarse:min-w-11"
        >
          {locale}
          {faulty.has(locale) && (
            <>
              <span className="rounded-mark bg-surface p-px">
                <StateGlyph state="dead" size={12} />
              </span>
              <span className="sr-only">has a fault</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
