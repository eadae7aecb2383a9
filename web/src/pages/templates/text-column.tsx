import type { TemplateCheck, TemplateDetail, TextDraft } from '../../api/templates';
import { Button } from '../../parts/button';
import { CONTROL } from '../../parts/form/field';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { CodeField } from '../sequences/code-field';
import { lineRange } from '../sequences/marks';
import { Faults } from './faults';
import { TextPreview } from './text-preview';
import { mended, sourceOf, type Fault, type Part } from './text-draft';

interface Props {
  readonly saved: TemplateDetail;
  readonly draft: TextDraft;
  /** As it was when nobody had typed for a moment. */
  readonly settled: TextDraft;
  readonly checked: TemplateCheck['texts'][number] | undefined;
  readonly variables: TemplateCheck['variables'];
  readonly eventId: string | undefined;
  /** What stands above the mail instead of what is in it. */
  readonly headers: boolean;
  readonly onGo: (fault: Fault) => void;
  readonly onChange?: (draft: TextDraft) => void;
  readonly className?: string;
}

const idOf = (locale: string, part: Part): string => `text-${locale}-${part}`;

export function focusFault(locale: string, part: Part, line: number): void {
  const field = document.getElementById(idOf(locale, part));
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  field.focus();
  field.setSelectionRange(...lineRange(field.value, line));
  field.scrollIntoView({ block: 'nearest' });
}

const LABELS = { html: 'HTML', mjml: 'MJML', text: 'Text' } as const;

/** One locale: subject, source, verdict, preview. The source goes by its first letters, the rest by its locale. */
export function TextColumn(props: Props) {
  const {
    saved,
    draft,
    settled,
    checked,
    variables,
    eventId,
    headers,
    onGo,
    onChange,
    className = '',
  } = props;
  const { locale } = draft;
  const source = sourceOf(draft);
  const faults = checked?.faults ?? [];
  const direction = checked?.direction ?? 'ltr';
  const name = checked?.language ?? locale;
  const set = onChange && ((part: Partial<TextDraft>) => onChange({ ...draft, ...part }));
  const field = (part: 'html' | 'mjml' | 'text', label: string) => (
    <CodeField
      id={idOf(locale, part)}
      label={`${label} in ${name}`}
      value={draft[part] ?? ''}
      variables={variables}
      faulty={linesOf(faults, part)}
      describedBy={`faults-${locale}`}
      onChange={set && ((value) => set({ [part]: value }))}
    />
  );
  return (
    <Panel
      className={className}
      title={name}
      note={notesOf(locale, saved, checked).join(' · ')}
      aside={
        checked && (
          <span className="text-note text-ink-2">
            {checked.readers === 1 ? '1 subscription' : `${numberWords(checked.readers)} subscriptions`}
          </span>
        )
      }
    >
      <div className="flex min-w-0 flex-col gap-2.5 p-3.5">
        <input
          id={idOf(locale, 'subject')}
          aria-label={`Subject in ${name}`}
          dir={direction}
          lang={locale}
          value={draft.subject}
          maxLength={2_000}
          readOnly={!set}
          aria-invalid={linesOf(faults, 'subject').size > 0 || undefined}
          aria-describedby={`faults-${locale}`}
          onChange={(event) => set?.({ subject: event.target.value })}
          className={`${CONTROL} font-mono text-mono`}
        />
        {!headers && field(source, LABELS[source])}
        {!headers &&
          source !== 'text' &&
          (draft.text === null ? (
            set && (
              <p>
                <Button kind="quiet" onClick={() => set({ text: '' })}>
                  Write the plain text of its own
                </Button>
              </p>
            )
          ) : (
            <details open={linesOf(faults, 'text').size > 0 || draft.text === ''}>
              <summary className="min-h-6 cursor-pointer text-table font-semibold coarse:min-h-11">
                Plain text of its own
              </summary>
              <div className="mt-2 flex flex-col gap-1">
                {field('text', 'Plain text')}
                {set && (
                  <p>
                    <Button kind="quiet" onClick={() => set({ text: null })}>
                      Make it of the text above
                    </Button>
                  </p>
                )}
              </div>
            </details>
          ))}
        <Faults
          id={`faults-${locale}`}
          draft={draft}
          checked={checked}
          onGo={onGo}
          {...(onChange && { onMend: (fault: Fault) => onChange(mended(draft, fault)) })}
        />
        <TextPreview
          saved={saved}
          settled={settled}
          eventId={eventId}
          headers={headers}
          language={name}
          told={faults.length > 0}
        />
      </div>
    </Panel>
  );
}

const linesOf = (faults: readonly Fault[], part: Part): ReadonlySet<number> =>
  new Set(faults.filter((fault) => fault.part === part).map(({ line }) => line));

function notesOf(
  locale: string,
  { fallbackLocale }: TemplateDetail,
  checked: Props['checked'],
): readonly string[] {
  return [
    locale,
    ...(fallbackLocale === locale ? ['for all others'] : []),
    ...(checked && checked.alsoFor.length > 0 ? [`also for ${checked.alsoFor.slice(0, 3).join(', ')}`] : []),
    ...(checked?.direction === 'rtl' ? ['right to left'] : []),
  ];
}
