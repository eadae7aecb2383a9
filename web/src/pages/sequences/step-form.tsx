import type { SequenceCheck } from '../../api/types';
import { Button } from '../../parts/button';
import { Beside, Field } from '../../parts/form/field';
import { Choice, NumberInput, TextInput } from '../../parts/form/inputs';
import { StateGlyph } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { visible } from '../../parts/visible';
import { CodeField } from './code-field';
import { ACTION_WORDS, asKind, mayThread, type Draft, type DraftStep } from './draft';
import { lineRange, unseenIn } from './marks';

type Fault = SequenceCheck['faults'][number];
type Part = Fault['part'];

const KINDS = (Object.keys(ACTION_WORDS) as DraftStep['action'][]).map((value) => ({
  value,
  label: ACTION_WORDS[value],
}));
const UNITS: readonly { readonly value: DraftStep['delayUnit']; readonly label: string }[] = [
  { value: 'days', label: 'days later' },
  { value: 'sendingDays', label: 'sending days later' },
  { value: 'hours', label: 'hours later' },
];

interface Props {
  readonly draft: Draft;
  readonly at: number;
  readonly faults: readonly Fault[];
  readonly variables: SequenceCheck['variables'];
  /** Absent for who may only look. */
  readonly onChange?: (part: Partial<DraftStep>) => void;
  readonly onRemove?: () => void;
}

const idOf = (part: Part): string => `part-${part}`;

/** Leads somebody to a line of a part. */
export function focusLine(part: Part, line: number): void {
  const field = document.getElementById(idOf(part));
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  field.focus();
  field.setSelectionRange(...lineRange(field.value, line));
  field.scrollIntoView({ block: 'nearest' });
}

/** One step: what it is, when it leaves, what it says. */
export function StepForm({ draft, at, faults, variables, onChange, onRemove }: Props) {
  const step = draft.steps[at];
  if (!step) return null;
  const isMail = step.action === 'email';
  const may = onChange !== undefined;
  const of = (part: Part) => faults.filter((fault) => fault.part === part);
  const threads = isMail && mayThread(draft, at);
  return (
    <Panel
      title={`Step ${String(at + 1)}`}
      note={ACTION_WORDS[step.action]}
      {...(onRemove && {
        aside: (
          <Button kind="quiet" onClick={onRemove}>
            Remove
          </Button>
        ),
      })}
    >
      <div className="flex min-w-0 flex-col gap-4 p-3.5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Kind">
            <Choice
              value={step.action}
              options={KINDS}
              disabled={!may}
              onChange={(action) => onChange?.(asKind(step, action, !mayThread(draft, at)))}
            />
          </Field>
          {at > 0 && (
            <Field label="Leaves">
              <div className="flex gap-2">
                <NumberInput
                  value={step.delayDays}
                  min={0}
                  max={8_760}
                  step={1}
                  disabled={!may}
                  onChange={(days) => onChange?.({ delayDays: Math.max(0, Math.floor(days ?? 0)) })}
                  className="max-w-20"
                />
                <Beside>
                  <Choice
                    aria-label="Unit of the delay"
                    value={step.delayUnit}
                    options={UNITS}
                    disabled={!may}
                    onChange={(delayUnit) => onChange?.({ delayUnit })}
                    className="min-w-0 flex-1"
                  />
                </Beside>
              </div>
            </Field>
          )}
        </div>
        {threads && (
          <Field label="Thread">
            <Choice
              value={step.subject === null ? 'on' : 'new'}
              options={[
                { value: 'on', label: 'Goes on in the thread before' },
                { value: 'new', label: 'Begins a new thread' },
              ]}
              disabled={!may}
              onChange={(choice) => onChange?.({ subject: choice === 'on' ? null : '' })}
            />
          </Field>
        )}
        {step.subject !== null && (isMail || step.action === 'inmail') && (
          <div>
            <label htmlFor={idOf('subject')} className="mb-1 block font-semibold">
              Subject
            </label>
            <TextInput
              id={idOf('subject')}
              value={step.subject}
              maxLength={2_000}
              disabled={!may}
              aria-invalid={of('subject').length > 0 || undefined}
              aria-describedby="faults-subject"
              onChange={(subject) => onChange?.({ subject })}
            />
            <Faults part="subject" text={step.subject} faults={of('subject')} />
          </div>
        )}
        <TextPart
          part="body"
          label={isMail ? 'Text or HTML' : 'Text'}
          text={step.body}
          faults={of('body')}
          variables={variables}
          onChange={onChange && ((body) => onChange({ body }))}
        />
        {isMail &&
          (step.bodyText === null ? (
            <>
              {may && (
                <p>
                  <Button kind="quiet" onClick={() => onChange({ bodyText: '' })}>
                    Write the plain text of its own
                  </Button>
                </p>
              )}
              <Faults part="bodyText" text="" faults={of('bodyText')} />
            </>
          ) : (
            <TextPart
              part="bodyText"
              label="Plain text of its own"
              text={step.bodyText}
              faults={of('bodyText')}
              variables={variables}
              onChange={onChange && ((bodyText) => onChange({ bodyText }))}
              {...(may && { onDrop: () => onChange({ bodyText: null }) })}
            />
          ))}
        <p className="text-note text-ink-2">
          {isMail
            ? 'Postal address and unsubscribe link are added below, where the text does not place them. '
            : ''}
          <span className="coarse:hidden">
            <code>{'{{'}</code> or Ctrl Space offers what is known of people; <kbd>F8</kbd> goes to the next
            fault.
          </span>
        </p>
      </div>
    </Panel>
  );
}

interface TextPartProps {
  readonly part: Part;
  readonly label: string;
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly variables: SequenceCheck['variables'];
  readonly onChange: ((text: string) => void) | undefined;
  readonly onDrop?: () => void;
}

const TextPart = ({ part, label, text, faults, variables, onChange, onDrop }: TextPartProps) => (
  <div className="min-w-0">
    <div className="mb-1 flex items-center gap-3">
      <span className="mr-auto font-semibold">{label}</span>
      {onDrop && (
        <Button kind="quiet" onClick={onDrop}>
          Make it of the text above
        </Button>
      )}
    </div>
    <CodeField
      id={idOf(part)}
      label={label}
      value={text}
      variables={variables}
      faulty={new Set(faults.map(({ line }) => line))}
      describedBy={`faults-${part}`}
      onChange={onChange}
    />
    <Faults part={part} text={text} faults={faults} onChange={onChange} />
  </div>
);

interface FaultsProps {
  readonly part: Part;
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly onChange?: ((text: string) => void) | undefined;
}

/** What is wrong, by its line, and what may be meant. */
const Faults = ({ part, text, faults, onChange }: FaultsProps) => (
  <div id={`faults-${part}`} className="mt-2 flex flex-col gap-1.5 empty:mt-0">
    {faults.map((fault, n) => (
      <div
        key={n}
        className={`flex gap-2.5 rounded-control px-3 py-2 text-table wrap-anywhere ${fault.blocks ? 'bg-tint-dead' : 'bg-tint-retry'}`}
      >
        {fault.blocks && (
          <span className="mt-0.5">
            <StateGlyph state="dead" />
          </span>
        )}
        <span className="min-w-0">
          <button
            type="button"
            className="font-bold underline underline-offset-3"
            onClick={() => focusLine(part, fault.line)}
          >
            Line {fault.line}
          </button>
          : <bdi>{visible(fault.sentence)}</bdi>.{' '}
          {fault.suggestion !== null && <Meant fault={fault} text={text} onChange={onChange} />}
        </span>
      </div>
    ))}
    {unseenIn(text).map(({ line, codes }) => (
      <p key={line} className="text-note text-ink-2">
        Line {line} holds what nobody sees: <code>{codes}</code>.
      </p>
    ))}
  </div>
);

/** Put in by a press where it is plain what it takes the place of. */
function Meant({
  fault,
  text,
  onChange,
}: { readonly fault: Fault; readonly text: string } & Pick<FaultsProps, 'onChange'>) {
  const suggestion = fault.suggestion ?? '';
  const [name = ''] = suggestion.split(' | ');
  const [from, to] = lineRange(text, fault.line);
  const place = text.slice(from, to).indexOf(name);
  const fits = onChange !== undefined && suggestion.includes(' | ') && place >= 0;
  if (!fits)
    return (
      <>
        Is <code>{visible(suggestion)}</code> meant?
      </>
    );
  return (
    <button
      type="button"
      className="text-link underline underline-offset-3"
      onClick={() => {
        const start = from + place;
        onChange(text.slice(0, start) + suggestion + text.slice(start + name.length));
      }}
    >
      Write <code>{visible(suggestion)}</code>
    </button>
  );
}
