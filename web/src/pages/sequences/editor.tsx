import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client';
import {
  deleteSequence,
  ofCheck,
  ofSequence,
  ofStepResults,
  saveSequence,
  sequencesChanged,
} from '../../api/sequences';
import type { Sequence } from '../../api/types';
import { useShortcuts } from '../../keys/keys';
import { Button, buttonLook } from '../../parts/button';
import { confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { Fault } from '../../parts/form/fault';
import { Field } from '../../parts/form/field';
import { TextInput } from '../../parts/form/inputs';
import { SaveBar } from '../../parts/form/save-bar';
import { useSubmit } from '../../parts/form/use-submit';
import { faultWords } from '../../parts/fault-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { visible } from '../../parts/visible';
import { TopBar } from '../../shell/top-bar';
import { useMayAct } from '../../shell/may-act';
import { added, changedWords, draftOf, moved, removed, stepsOf, withStep } from './draft';
import { focusLine, StepForm } from './step-form';
import { StepPreview } from './preview';
import { StepRail } from './step-rail';
import { useSettled } from '../../parts/use-settled';
import { usedWords } from './list';
import { Versions } from './versions';

const WITHIN = { label: 'Sequences', to: '/sequences' };

interface Props {
  readonly id: string;
  readonly step: string | undefined;
  readonly contactId: string | undefined;
}

/** What will this person get, and is anything wrong with it? */
export function SequenceEditorPage({ id, step, contactId }: Props) {
  const { data, error, refetch } = useQuery(ofSequence(id));
  if (data) return <Editor key={data.version} saved={data} step={step} contactId={contactId} />;
  return (
    <>
      <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
      <div className="p-5 max-sm:p-3.5">
        {error instanceof ApiError && error.status === 404 ? (
          <Empty
            title="There is no such sequence."
            actions={
              <Link to="/sequences" className={buttonLook('primary')}>
                Show all sequences
              </Link>
            }
          />
        ) : error ? (
          <Failure error={error} what="this sequence" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
    </>
  );
}

/** Faults are looked for this long after the last key. */
const CHECKED_MS = 300;

function Editor({
  saved,
  step,
  contactId,
}: {
  readonly saved: Sequence;
  readonly step: string | undefined;
  readonly contactId: string | undefined;
}) {
  const may = useMayAct('operate');
  const navigate = useNavigate();
  const submit = useSubmit();
  const [draft, setDraft] = useState(() => draftOf(saved));
  const at = Math.max(0, Math.min(draft.steps.length, Number(step) || 1) - 1);
  const steps = stepsOf(draft);
  const settled = useSettled(steps, CHECKED_MS);
  const check = useQuery(ofCheck(settled));
  const results = useQuery(ofStepResults(saved.id));
  const faults = check.data?.faults ?? [];
  const changed = changedWords(saved, draft);
  const blocked = faults.some(({ blocks }) => blocks);
  const show = (next: { readonly step?: number; readonly contactId?: string }) => {
    const whose = next.contactId ?? contactId;
    void navigate({
      to: '/sequences/$sequenceId',
      params: { sequenceId: saved.id },
      search: {
        step: String(next.step ?? at + 1),
        ...(whose !== undefined && { contactId: whose }),
      },
      replace: true,
      ignoreBlocker: true,
      resetScroll: false,
    });
  };
  const move = (from: number, by: number) => {
    setDraft(moved(draft, from, by));
    if (from + by >= 0 && from + by < draft.steps.length) show({ step: from + by + 1 });
  };
  const save = () => {
    if (blocked) return;
    submit.run(async () => {
      const { version } = await saveSequence(saved.id, {
        ...{ name: draft.name.trim(), steps, version: saved.version },
      });
      showToast({
        text:
          version === saved.version
            ? 'Saved.'
            : `Saved as version ${String(version)}. Campaigns that were launched keep their own.`,
      });
    });
  };
  const nextFault = () => {
    const here = faults.findIndex((fault) => fault.step > at + 1);
    const fault =
      faults.filter((each) => each.step === at + 1).find(({ line, part }) => !isAt(part, line)) ??
      faults[Math.max(0, here)];
    if (!fault) return;
    if (fault.step !== at + 1) show({ step: fault.step });
    // Once that step is drawn.
    setTimeout(() => focusLine(fault.part, fault.line));
  };
  useShortcuts([
    { keys: 'F8', does: 'next fault', run: nextFault, whileTyping: true },
    { keys: 'j', does: 'next step', run: () => show({ step: Math.min(draft.steps.length, at + 2) }) },
    { keys: 'k', does: 'previous step', run: () => show({ step: Math.max(1, at) }) },
    ...(may
      ? [
          { keys: 'alt+ArrowUp', does: 'move the step up', run: () => move(at, -1), whileTyping: true },
          { keys: 'alt+ArrowDown', does: 'move the step down', run: () => move(at, 1), whileTyping: true },
        ]
      : []),
  ]);
  const present = draft.steps[at];
  return (
    <>
      <TopBar title={visible(saved.name)} within={WITHIN} actions={may && <DeleteButton saved={saved} />} />
      <div className="flex min-w-0 flex-col gap-4 p-5 max-sm:p-3.5">
        {check.data ? (
          <Plate
            level={check.data.plate.level}
            sentence={visible(check.data.plate.sentence)}
            evidence={visible(check.data.plate.evidence)}
            cells={[
              <span key="used" className="text-note text-ink-2">
                <span className="block">Used by</span>
                <strong className="block text-title text-ink">
                  {saved.usedBy.campaigns === 0 ? 'no campaign' : usedWords(saved.usedBy)}
                </strong>
                version {saved.version}
              </span>,
            ]}
          />
        ) : check.error ? (
          <Failure error={check.error} what="whether it is right" onRetry={() => void check.refetch()} />
        ) : (
          <div className="h-20" />
        )}
        <Fault text={submit.faultBesides('name')} />
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[16rem_minmax(0,1.2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-4 lg:max-xl:col-span-2">
            <Field label="Name" error={submit.faultOf('name')}>
              <TextInput
                value={draft.name}
                maxLength={100}
                disabled={!may}
                onChange={(name) => setDraft({ ...draft, name })}
              />
            </Field>
            <StepRail
              steps={draft.steps}
              at={at}
              faults={faults}
              results={results.data}
              onShow={(n) => show({ step: n + 1 })}
              {...(may && {
                onMove: move,
                onAdd: () => {
                  setDraft(added(draft));
                  show({ step: draft.steps.length + 1 });
                },
              })}
            />
            <Versions
              saved={saved}
              {...(may && {
                onBring: (steps: Sequence['steps'], version: number) => {
                  setDraft(draftOf({ name: draft.name, steps }));
                  showToast({
                    text: `Version ${String(version)} is here again. It counts once it is saved.`,
                  });
                },
              })}
            />
          </div>
          {present && (
            <StepForm
              key={present.key}
              draft={draft}
              at={at}
              faults={faults.filter((fault) => fault.step === at + 1)}
              variables={check.data?.variables ?? []}
              {...(may && {
                onChange: (part) => setDraft((known) => withStep(known, at, part)),
                ...(draft.steps.length > 1 && {
                  onRemove: () => {
                    setDraft(removed(draft, at));
                    show({ step: Math.max(1, at) });
                  },
                }),
              })}
            />
          )}
          <StepPreview
            id={saved.id}
            step={at + 1}
            action={present?.action ?? 'email'}
            steps={settled}
            contactId={contactId}
            onContact={(next) => show({ contactId: next })}
          />
        </div>
        {may && (
          <SaveBar
            changed={changed}
            busy={submit.busy}
            onDiscard={() => {
              setDraft(draftOf(saved));
              submit.forget();
            }}
            onSave={save}
            action={
              blocked
                ? null
                : changed.every((word) => word === 'name')
                  ? 'Save'
                  : `Save version ${String(saved.version + 1)}`
            }
            {...(blocked && { effect: 'It has a fault, so it cannot be saved yet' })}
          />
        )}
      </div>
    </>
  );
}

/** Whether somebody is in that line already. */
function isAt(part: string, line: number): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return false;
  if (field.id !== `part-${part}`) return false;
  return field.value.slice(0, field.selectionStart ?? 0).split('\n').length === line;
}

function DeleteButton({ saved }: { readonly saved: Sequence }) {
  const navigate = useNavigate();
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${visible(saved.name)}?`,
      text: 'All its versions are deleted. It cannot be undone. A sequence that a campaign says stays.',
      action: 'Delete it and its versions',
    });
    if (!sure) return;
    await deleteSequence(saved.id);
    showToast({ text: `Deleted ${visible(saved.name)}.` });
    await navigate({ to: '/sequences', ignoreBlocker: true });
    sequencesChanged();
  };
  // What a campaign says can't be deleted: what it has sent is shown from it.
  if (saved.usedBy.campaigns > 0) return null;
  return (
    <Button
      kind="quiet"
      onClick={() =>
        void remove().catch((error: unknown) => showToast({ text: faultWords(error), tone: 'fault' }))
      }
    >
      Delete…
    </Button>
  );
}
