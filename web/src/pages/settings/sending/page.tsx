import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../api/client';
import { ofSending } from '../../../api/queries';
import { ofSendingPreview, saveSending } from '../../../api/sending';
import type { SendingSettings } from '../../../api/types';
import { Failure } from '../../../parts/failure';
import { Fault } from '../../../parts/form/fault';
import { SaveForm } from '../../../parts/form/save-form';
import { useSubmit } from '../../../parts/form/use-submit';
import { ZoneChoice } from '../../../parts/form/zone-choice';
import { HolidaysPanel } from '../../../parts/holidays/holidays-panel';
import { numberWords } from '../../../parts/number-words';
import { Panel } from '../../../parts/panel';
import { SkeletonRows } from '../../../parts/skeleton';
import { showToast } from '../../../parts/toast';
import { WeekEditor } from '../../../parts/week/week-editor';
import { useMay } from '../../../session';
import { Effect } from './effect';
import { Elsewhere } from './elsewhere';
import { PacePanel } from './pace-panel';
import { SendingPlate } from './plate';
import { changedWords, changeOf, isNever, isWhole, sendingDraft, type SendingDraft } from './sending-draft';

/** When may mail leave, and what would a change move? */
export function SendingSection() {
  const { data, error, refetch } = useQuery(ofSending());
  if (data) return <Editor stored={data} />;
  if (error) return <Failure error={error} what="the settings" onRetry={() => void refetch()} />;
  return <SkeletonRows rows={8} />;
}

const COUNTED_AFTER_MS = 500;
const SHOWN_FAULTS = ['dailyQuota', 'spacing', 'rampUp', 'holidays', 'timezone'];

function Editor({ stored }: { readonly stored: SendingSettings }) {
  const admin = useMay('admin');
  const [draft, setDraft] = useState<SendingDraft>();
  // What was stored when the editing began: what others change meanwhile is not ours to undo.
  const [before, setBefore] = useState(() => sendingDraft(stored));
  const submit = useSubmit();
  const saved = draft ? before : sendingDraft(stored);
  const shown = draft ?? saved;
  const change = (part: Partial<SendingDraft>) => {
    if (!draft) setBefore(saved);
    setDraft({ ...shown, ...part });
  };
  const discard = () => {
    setDraft(undefined);
    submit.forget();
  };
  const wanted = changeOf(saved, shown);
  const changed = changedWords(saved, shown);
  const never = isNever(shown);
  const savable = !never && isWhole(shown);
  const { preview, refusal, counting } = usePreview(savable ? wanted : {});
  const save = () =>
    submit.run(async () => {
      await saveSending(wanted);
      setDraft(undefined);
      showToast({ text: 'Saved. Guarded mail obeys at once.' });
    });
  const moved = preview?.moved ?? 0;
  const action = counting || moved === 0 ? 'Save' : `Save and move ${numberWords(moved)}`;
  const edit = admin ? change : undefined;
  return (
    <SaveForm
      wide
      changed={changed}
      busy={submit.busy}
      onDiscard={discard}
      onSave={save}
      action={savable && refusal === null ? action : null}
      effect={counting || preview?.effect === '' ? undefined : preview?.effect}
    >
      <SendingPlate preview={preview} refusal={refusal} never={never} timezone={shown.timezone} />
      <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
      <fieldset
        disabled={!admin || submit.busy}
        className="grid min-w-0 items-start gap-4 min-[1400px]:grid-cols-[minmax(0,1fr)_352px]"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <Panel
            title="Week"
            {...(admin && { note: 'drag an edge, or ← → on it in steps of 15 min' })}
            aside={
              <ZoneChoice
                aria-label="Time zone"
                className="w-48"
                value={shown.timezone}
                onChange={(timezone) => change({ timezone })}
              />
            }
          >
            <WeekEditor
              week={shown.week}
              saved={saved.week}
              timezone={shown.timezone}
              onChange={edit && ((week) => edit({ week }))}
            />
          </Panel>
          <PacePanel draft={shown} onChange={change} submit={submit} />
          <Elsewhere week={shown.week} timezone={shown.timezone} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {preview && <Effect preview={preview} changed={changed.length > 0} />}
          <HolidaysPanel
            holidays={shown.holidays}
            saved={saved.holidays}
            timezone={shown.timezone}
            error={submit.faultOf('holidays')}
            onChange={edit && ((holidays) => edit({ holidays }))}
          />
        </div>
      </fieldset>
    </SaveForm>
  );
}

/** Counted once nobody has changed anything for a moment. */
function usePreview(change: Record<string, unknown>) {
  const words = JSON.stringify(change);
  const [asked, setAsked] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), COUNTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const { data, error, isPlaceholderData } = useQuery(
    ofSendingPreview(JSON.parse(asked) as Record<string, unknown>),
  );
  const refused = error instanceof ApiError && error.status === 400;
  return {
    preview: data,
    refusal: refused ? error : null,
    counting: asked !== words || isPlaceholderData,
  };
}
