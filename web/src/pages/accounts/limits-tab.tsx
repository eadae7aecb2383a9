import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAccount } from '../../api/accounts';
import { ofSending } from '../../api/queries';
import type { Account, AccountAction, SendingSettings } from '../../api/types';
import { Failure } from '../../parts/failure';
import { Fault } from '../../parts/form/fault';
import { CheckboxRow, NumberInput } from '../../parts/form/inputs';
import { SaveForm } from '../../parts/form/save-form';
import { useSubmit, type Submit } from '../../parts/form/use-submit';
import { ZoneChoice } from '../../parts/form/zone-choice';
import { HolidaysPanel } from '../../parts/holidays/holidays-panel';
import { Panel } from '../../parts/panel';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { WeekEditor } from '../../parts/week/week-editor';
import { weekOf } from '../../parts/week/week';
import { useMay } from '../../session';
import {
  ACTIONS_OF,
  changedWords,
  DAILY_FIELD,
  fromWorkspace,
  isWhole,
  limitsChange,
  limitsDraft,
  PERIODS,
  type LimitsDraft,
} from './limits-draft';
import { rampWords, spacingWords, windowWords } from './limits-words';
import { ACTION_WORDS } from './rows';

/** What an account may do at most, and when; where it says nothing, the workspace's holds. */
export function LimitsTab({ account }: { readonly account: Account }) {
  const { data, error, refetch } = useQuery(ofSending());
  if (data) return <Editor account={account} workspace={data} />;
  if (error) return <Failure error={error} what="the settings" onRetry={() => void refetch()} />;
  return <SkeletonRows rows={6} />;
}

interface Parts {
  readonly draft: LimitsDraft;
  readonly saved: LimitsDraft;
  readonly workspace: SendingSettings;
  readonly account: Account;
  readonly submit: Submit;
  readonly onChange: (part: Partial<LimitsDraft>) => void;
}

function Editor({ account, workspace }: Pick<Parts, 'account' | 'workspace'>) {
  const admin = useMay('admin');
  const [draft, setDraft] = useState<LimitsDraft>();
  // What was stored when the editing began: what others change meanwhile is not ours to undo.
  const [before, setBefore] = useState(() => limitsDraft(account));
  const submit = useSubmit();
  const saved = draft ? before : limitsDraft(account);
  const shown = draft ?? saved;
  const change = (part: Partial<LimitsDraft>) => {
    if (!draft) setBefore(saved);
    setDraft({ ...shown, ...part });
  };
  const save = () =>
    submit.run(async () => {
      await updateAccount(account.id, limitsChange(saved, shown, account));
      setDraft(undefined);
      showToast({ text: `Saved the limits of ${account.name}. Its guarded mail obeys at once.` });
    });
  const parts = { draft: shown, saved, workspace, account, submit, onChange: change };
  return (
    <SaveForm
      wide
      changed={changedWords(saved, shown)}
      busy={submit.busy}
      onDiscard={() => {
        setDraft(undefined);
        submit.forget();
      }}
      onSave={save}
      action={isWhole(shown) ? 'Save' : null}
    >
      <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
      <fieldset
        disabled={!admin || submit.busy}
        className="grid min-w-0 items-start gap-4 min-[1400px]:grid-cols-[minmax(0,1fr)_352px]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Counts {...parts} />
          <Hours {...parts} admin={admin} />
          <Tempo {...parts} />
        </div>
        <HolidaysPanel
          holidays={shown.holidays}
          saved={saved.holidays}
          also={workspace.holidays}
          timezone={shown.window?.timezone ?? workspace.timezone}
          error={submit.faultOf('holidays')}
          onChange={admin ? (holidays) => change({ holidays }) : undefined}
        />
      </fieldset>
    </SaveForm>
  );
}

const SHOWN_FAULTS = [...Object.values(DAILY_FIELD), 'limits', 'window', 'spacing', 'rampUp', 'holidays'];
const PERIOD_WORDS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' } as const;
const FAULT = 'px-3.5 pb-3 text-note font-semibold text-dead';

function Counts({ account, draft, submit, onChange }: Parts) {
  const fault = [...Object.values(DAILY_FIELD), 'limits'].map(submit.faultOf).find(Boolean);
  const set = (action: AccountAction, period: (typeof PERIODS)[number], value: number | null) => {
    const counts = draft.counts[action];
    if (counts) onChange({ counts: { ...draft.counts, [action]: { ...counts, [period]: value } } });
  };
  return (
    <Panel title="At most" note="all that are given hold; empty: no limit">
      <div className="grid gap-x-4 gap-y-3 p-3.5">
        {ACTIONS_OF[account.type].map((action) => (
          <fieldset key={action} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <legend className="mb-1 font-semibold">{capital(ACTION_WORDS[action])}</legend>
            {PERIODS.map((period) => (
              <label key={period} className="text-note text-ink-2">
                {PERIOD_WORDS[period]}
                <NumberInput
                  required={period === 'day'}
                  min={0}
                  max={1_000_000}
                  step={1}
                  aria-label={`${capital(ACTION_WORDS[action])} ${PERIOD_WORDS[period]}`}
                  placeholder="no limit"
                  value={draft.counts[action]?.[period] ?? null}
                  onChange={(value) => set(action, period, value)}
                />
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      {fault !== undefined && <p className={FAULT}>{fault}</p>}
    </Panel>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Hours({ draft, saved, workspace, submit, onChange, admin }: Parts & { readonly admin: boolean }) {
  const { window } = draft;
  const fault = submit.faultOf('window');
  const set = (part: Partial<NonNullable<LimitsDraft['window']>>) =>
    window && onChange({ window: { ...window, ...part } });
  return (
    <Panel
      title="Days and hours"
      {...(window && {
        aside: (
          <ZoneChoice
            aria-label="Time zone"
            className="w-48"
            value={window.timezone}
            onChange={(timezone) => set({ timezone })}
          />
        ),
      })}
    >
      <div className="px-3.5 pt-3 pb-1">
        <CheckboxRow
          checked={window !== null}
          onChange={(own) =>
            onChange({ window: own ? (saved.window ?? fromWorkspace(workspace).window) : null })
          }
          label="Hours of its own"
          hint={`In place of the workspace’s: ${windowWords(workspace)}`}
        />
      </div>
      {window && (
        <WeekEditor
          week={window.week}
          saved={saved.window?.week ?? weekOf(workspace)}
          timezone={window.timezone}
          onChange={admin ? (week) => set({ week }) : undefined}
        />
      )}
      {fault !== undefined && <p className={FAULT}>{fault}</p>}
    </Panel>
  );
}

const SECONDS = { required: true, min: 0, max: 86_400, step: 1, className: 'w-20!' } as const;
const COUNT = { required: true, max: 1_000_000, step: 1, className: 'w-20!' } as const;

function Tempo({ draft: { rampUp, spacing }, saved, workspace, submit, onChange }: Parts) {
  const usual = fromWorkspace(workspace);
  const fault = submit.faultOf('spacing') ?? submit.faultOf('rampUp');
  return (
    <Panel title="Pace">
      <div className="grid gap-4 p-3.5 sm:grid-cols-2">
        <div>
          <CheckboxRow
            checked={rampUp !== null}
            onChange={(own) => onChange({ rampUp: own ? (saved.rampUp ?? usual.rampUp) : null })}
            label="Ramp-up of its own"
            hint={`In place of the workspace’s: ${rampWords({ ...workspace.rampUp, enabled: workspace.rampUpEnabled })}`}
          />
          {rampUp && (
            <div className="mt-2 flex flex-wrap items-center gap-2 pl-6.5">
              <label className="flex items-center gap-2 coarse:min-h-11">
                <input
                  type="checkbox"
                  checked={rampUp.enabled}
                  onChange={(event) => onChange({ rampUp: { ...rampUp, enabled: event.target.checked } })}
                  className="size-4 shrink-0 accent-primary"
                />
                on, start
              </label>
              <NumberInput
                {...COUNT}
                min={1}
                aria-label="On the first day"
                value={rampUp.start}
                onChange={(start) => onChange({ rampUp: { ...rampUp, start } })}
              />
              add
              <NumberInput
                {...COUNT}
                min={0}
                aria-label="More each sending day"
                value={rampUp.step}
                onChange={(step) => onChange({ rampUp: { ...rampUp, step } })}
              />
            </div>
          )}
        </div>
        <div>
          <CheckboxRow
            checked={spacing !== null}
            onChange={(own) => onChange({ spacing: own ? (saved.spacing ?? usual.spacing) : null })}
            label="Spacing of its own"
            hint={`Holds where it is longer than the workspace’s: ${spacingWords(workspace.spacing)}`}
          />
          {spacing && (
            <div className="mt-2 flex flex-wrap items-center gap-2 pl-6.5">
              <NumberInput
                {...SECONDS}
                aria-label="Spacing, at least"
                value={spacing.minSeconds}
                onChange={(minSeconds) => onChange({ spacing: { ...spacing, minSeconds } })}
              />
              to
              <NumberInput
                {...SECONDS}
                aria-label="Spacing, at most"
                value={spacing.maxSeconds}
                onChange={(maxSeconds) => onChange({ spacing: { ...spacing, maxSeconds } })}
              />
              s
            </div>
          )}
        </div>
      </div>
      {fault !== undefined && <p className={FAULT}>{fault}</p>}
    </Panel>
  );
}
