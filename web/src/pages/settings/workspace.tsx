import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ofDelivery, ofProfile, saveDelivery, saveProfile } from '../../api/settings';
import { LANES } from '../../api/names';
import type { DeliverySettings, WorkspaceProfile } from '../../api/types';
import { Failure } from '../../parts/failure';
import { Fault } from '../../parts/form/fault';
import { SaveForm } from '../../parts/form/save-form';
import { useSubmit } from '../../parts/form/use-submit';
import { SkeletonRows } from '../../parts/skeleton';
import { showToast } from '../../parts/toast';
import { useMay, useMe } from '../../session';
import { LANE_WORDS } from './delivery-words';
import { difference } from './difference';
import { HealthPanel } from './health-panel';
import { LanePanel } from './lane-panel';
import { NewWorkspacePanel } from './new-workspace';
import { ProfilePanel } from './profile-panel';

export interface WorkspaceDraft {
  readonly profile: WorkspaceProfile;
  readonly delivery: DeliverySettings;
}

export function WorkspaceSection() {
  const profile = useQuery(ofProfile());
  const delivery = useQuery(ofDelivery());
  const error = profile.error ?? delivery.error;
  if (profile.data && delivery.data)
    return <Editor stored={{ profile: profile.data, delivery: delivery.data }} />;
  if (!error) return <SkeletonRows rows={8} />;
  const again = () => void Promise.all([profile.refetch(), delivery.refetch()]);
  return <Failure error={error} what="the settings" onRetry={again} />;
}

/** Nothing is saved until a person says so; then only what he changed. */
function Editor({ stored }: { readonly stored: WorkspaceDraft }) {
  const admin = useMay('admin');
  const { administersInstallation } = useMe();
  const [draft, setDraft] = useState<WorkspaceDraft>();
  // What was stored when the editing began: what others change meanwhile is not ours to undo.
  const [before, setBefore] = useState(stored);
  const submit = useSubmit();
  const shown = draft ?? stored;
  const change = (part: Partial<WorkspaceDraft>) => {
    if (!draft) setBefore(stored);
    setDraft({ ...shown, ...part });
  };
  const discard = () => {
    setDraft(undefined);
    submit.forget();
  };
  const save = () =>
    submit.run(async () => {
      if (!draft) return;
      const profile = difference({ ...before.profile }, { ...draft.profile });
      const delivery = difference({ ...before.delivery }, { ...draft.delivery }, 3);
      if (Object.keys(profile).length > 0) await saveProfile(profile);
      if (Object.keys(delivery).length > 0) await saveDelivery(delivery);
      setDraft(undefined);
      showToast({ text: 'Saved. New mail obeys within seconds.' });
    });
  const { delivery } = shown;
  const parts = { draft: shown, onChange: change, submit };
  return (
    <>
      <SaveForm
        changed={draft ? changedWords(before, draft) : []}
        busy={submit.busy}
        onDiscard={discard}
        onSave={save}
      >
        <fieldset disabled={!admin || submit.busy} className="flex min-w-0 flex-col gap-4">
          <Fault text={submit.faultBesides(...SHOWN_FAULTS)} />
          <ProfilePanel {...parts} />
          {LANES.map((lane) => (
            <LanePanel
              key={lane}
              lane={lane}
              settings={delivery.lanes[lane]}
              submit={submit}
              onChange={(part) =>
                change({
                  delivery: {
                    ...delivery,
                    lanes: { ...delivery.lanes, [lane]: { ...delivery.lanes[lane], ...part } },
                  },
                })
              }
            />
          ))}
          <HealthPanel {...parts} />
        </fieldset>
      </SaveForm>
      {administersInstallation && <NewWorkspacePanel />}
    </>
  );
}

const SHOWN_FAULTS = [
  'name',
  'postalAddress',
  'defaultLocale',
  'lanes',
  'health',
  'retentionDays',
  'auditDays',
];

const PROFILE_WORDS: Record<keyof WorkspaceProfile, string> = {
  name: 'name',
  postalAddress: 'postal address',
  defaultLocale: 'language',
};

function changedWords(before: WorkspaceDraft, draft: WorkspaceDraft): readonly string[] {
  const profile = Object.keys(difference({ ...before.profile }, { ...draft.profile }));
  const lanes = LANES.filter(
    (lane) =>
      Object.keys(difference({ ...before.delivery.lanes[lane] }, { ...draft.delivery.lanes[lane] })).length >
      0,
  );
  const health = difference({ ...before.delivery.health }, { ...draft.delivery.health });
  return [
    ...profile.map((name) => PROFILE_WORDS[name as keyof WorkspaceProfile]),
    ...lanes.map((lane) => LANE_WORDS[lane].title.toLowerCase()),
    ...(Object.keys(health).length > 0 ? ['health'] : []),
    ...(draft.delivery.retentionDays === before.delivery.retentionDays ? [] : ['retention']),
    ...(draft.delivery.auditDays === before.delivery.auditDays ? [] : ['retention of the audit log']),
  ];
}
