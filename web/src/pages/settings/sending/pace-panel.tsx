import { Beside, Field } from '../../../parts/form/field';
import { NumberInput } from '../../../parts/form/inputs';
import type { Submit } from '../../../parts/form/use-submit';
import { Panel } from '../../../parts/panel';
import type { SendingDraft } from './sending-draft';

interface Props {
  readonly draft: SendingDraft;
  readonly onChange: (part: Partial<SendingDraft>) => void;
  readonly submit: Submit;
}

const SECONDS = { required: true, min: 0, max: 86_400, step: 1 } as const;
const COUNT = { required: true, max: 1_000_000, step: 1 } as const;

/** What no account may exceed, whatever it says itself. */
export function PacePanel({ draft, onChange, submit }: Props) {
  const { spacing, rampUp, rampUpEnabled } = draft;
  return (
    <Panel title="Pace" note="what accounts may not exceed">
      <div className="grid gap-4 p-3.5 sm:grid-cols-2 min-[1400px]:grid-cols-[1fr_1.2fr_1.2fr]">
        <Field label="Mails a day" error={submit.faultOf('dailyQuota')} hint="All accounts together.">
          <NumberInput
            {...COUNT}
            min={0}
            value={draft.dailyQuota}
            onChange={(dailyQuota) => onChange({ dailyQuota })}
          />
        </Field>
        <Field
          label="Spacing, seconds"
          error={submit.faultOf('spacing')}
          hint="Between two of an account, drawn anew each time. An account’s own may only be longer."
        >
          <div className="flex items-center gap-2">
            <NumberInput
              {...SECONDS}
              className="w-20!"
              value={spacing.minSeconds}
              onChange={(minSeconds) => onChange({ spacing: { ...spacing, minSeconds } })}
            />
            <Beside>
              to
              <NumberInput
                {...SECONDS}
                className="w-20!"
                aria-label="Spacing, at most"
                value={spacing.maxSeconds}
                onChange={(maxSeconds) => onChange({ spacing: { ...spacing, maxSeconds } })}
              />
            </Beside>
          </div>
        </Field>
        <fieldset className="min-w-0">
          <legend className="mb-1 font-semibold">Ramp-up</legend>
          <div className="flex flex-wrap items-center gap-2">
            <label className="flex items-center gap-2 coarse:min-h-11">
              <input
                type="checkbox"
                checked={rampUpEnabled}
                onChange={(event) => onChange({ rampUpEnabled: event.target.checked })}
                className="size-4 shrink-0 accent-primary"
              />
              <span className="text-ink-2">start</span>
            </label>
            <NumberInput
              {...COUNT}
              min={1}
              disabled={!rampUpEnabled}
              className="w-18!"
              aria-label="Mails on the first day"
              value={rampUp.start}
              onChange={(start) => onChange({ rampUp: { ...rampUp, start } })}
            />
            <span className="text-ink-2">add</span>
            <NumberInput
              {...COUNT}
              min={0}
              disabled={!rampUpEnabled}
              className="w-18!"
              aria-label="More each sending day"
              value={rampUp.step}
              onChange={(step) => onChange({ rampUp: { ...rampUp, step } })}
            />
          </div>
          <p className="mt-1 text-note text-ink-2">
            {rampUpEnabled ? rampEffect(rampUp) : 'Off: the full limit from the first day on.'}
          </p>
        </fieldset>
      </div>
    </Panel>
  );
}

const USUAL_LIMIT = 20;

/** On which day a new account that says nothing else sends as much as it may. */
function rampEffect({ start, step }: SendingDraft['rampUp']): string {
  if (start === null || step === null) return '';
  if (start >= USUAL_LIMIT) return 'A new account has its 20 a day from the first day on.';
  if (step === 0) return `A new account stays at ${start} a day.`;
  return `A new account reaches 20 a day on day ${Math.ceil((USUAL_LIMIT - start) / step) + 1}.`;
}
