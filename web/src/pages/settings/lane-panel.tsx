import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ofRetryPolicies } from '../../api/settings';
import type { Lane, LaneDelivery, OnDoubt, RetryPolicyName, RetryWaits } from '../../api/types';
import { Field } from '../../parts/form/field';
import { CheckboxRow, Choice, NumberInput, TextInput } from '../../parts/form/inputs';
import type { Submit } from '../../parts/form/use-submit';
import { Panel } from '../../parts/panel';
import { DOUBT_WORDS, LANE_WORDS, readWaits, retryEffect, waitsOf, writeWaits } from './delivery-words';
import { ExpiryField } from './expiry-field';

interface Props {
  readonly lane: Lane;
  readonly settings: LaneDelivery;
  readonly onChange: (part: Partial<LaneDelivery>) => void;
  readonly submit: Submit;
}

const OWN = 'own';
const DOUBTS = (Object.keys(DOUBT_WORDS) as OnDoubt[]).map((value) => ({
  value,
  label: DOUBT_WORDS[value].label,
}));

/** What new mail of a lane gets unless it says otherwise, each with what it costs. */
export function LanePanel({ lane, settings, onChange, submit }: Props) {
  const { title, note } = LANE_WORDS[lane];
  const fault = (field: string) => submit.faultOf(`lanes.${lane}.${field}`);
  return (
    <Panel title={title} note={note}>
      <div className="grid gap-4 p-3.5 sm:grid-cols-2">
        <RetryField policy={settings.retryPolicy} error={fault('retryPolicy')} onChange={onChange} />
        <Field
          label="If nobody knows whether it left"
          error={fault('onDoubt')}
          hint={DOUBT_WORDS[settings.onDoubt].effect}
        >
          <Choice value={settings.onDoubt} options={DOUBTS} onChange={(onDoubt) => onChange({ onDoubt })} />
        </Field>
        <ExpiryField
          seconds={settings.expirySeconds}
          error={fault('expirySeconds')}
          onChange={(expirySeconds) => onChange({ expirySeconds })}
        />
        <CheckboxRow
          checked={settings.guarded}
          onChange={(guarded) => onChange({ guarded })}
          label="Guarded"
          hint="Keeps to the hours, limits and spacing of its account, unless a mail says otherwise."
        />
      </div>
    </Panel>
  );
}

function RetryField({
  policy,
  error,
  onChange,
}: {
  readonly policy: LaneDelivery['retryPolicy'];
  readonly error: string | undefined;
  readonly onChange: Props['onChange'];
}) {
  const named = useQuery(ofRetryPolicies()).data?.items ?? [];
  const waits = waitsOf(policy, named);
  const names = new Set([...named.map(({ name }) => name), ...(typeof policy === 'string' ? [policy] : [])]);
  const options = [...names].map((name) => ({ value: name, label: `As ${name}` }));
  const choose = (value: RetryPolicyName | typeof OWN) => {
    const { maxAttempts = 3, delaysSeconds = [60] } = waits ?? {};
    onChange({ retryPolicy: value === OWN ? { maxAttempts, delaysSeconds } : value });
  };
  return (
    <div className="flex flex-col gap-3">
      <Field label="If a try fails" error={error} hint={waits ? retryEffect(waits) : ''}>
        <Choice
          value={typeof policy === 'string' ? policy : OWN}
          options={[...options, { value: OWN, label: 'Waits of its own' }]}
          onChange={choose}
        />
      </Field>
      {typeof policy !== 'string' && (
        <OwnWaits waits={policy} onChange={(retryPolicy) => onChange({ retryPolicy })} />
      )}
    </div>
  );
}

function OwnWaits({
  waits,
  onChange,
}: {
  readonly waits: RetryWaits;
  readonly onChange: (waits: RetryWaits) => void;
}) {
  const [text, setText] = useState(() => writeWaits(waits.delaysSeconds));
  const readable = readWaits(text) !== undefined;
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Tries" className="w-24">
        <NumberInput
          required
          min={1}
          max={50}
          step={1}
          value={waits.maxAttempts}
          onChange={(maxAttempts) => onChange({ ...waits, maxAttempts: maxAttempts ?? 1 })}
        />
      </Field>
      <Field
        label="Waits between them"
        className="flex-1 basis-40"
        error={readable ? undefined : 'Write them such as 1m 5m 1h.'}
      >
        <TextInput
          value={text}
          required
          pattern="\s*\d{1,7}[smhd]([\s,]+\d{1,7}[smhd])*\s*"
          title="Such as 1m 5m 1h"
          onChange={(typed) => {
            setText(typed);
            const delaysSeconds = readWaits(typed);
            if (delaysSeconds) onChange({ ...waits, delaysSeconds });
          }}
        />
      </Field>
    </div>
  );
}
