import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { ofContact, ofContacts } from '../../api/contacts';
import { ofStepPreview, sequenceAt, type WhatToShow } from '../../api/sequences';
import type { Contact, SequencePreview, SequenceStep } from '../../api/types';
import { Button } from '../../parts/button';
import { faultWords } from '../../parts/fault-words';
import { FindField } from '../../parts/find-field';
import { Field } from '../../parts/form/field';
import { Choice } from '../../parts/form/inputs';
import { HeadersList } from '../../parts/mail/headers-list';
import { PreviewFrame, type PreviewWidth } from '../../parts/mail/preview-frame';
import { WidthSwitch } from '../../parts/mail/width-switch';
import { Panel } from '../../parts/panel';
import { visible } from '../../parts/visible';
import { useMay } from '../../session';
import { serviceNow } from '../../time/clock';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { TestSend } from './test-send';

interface Props {
  readonly id: string;
  readonly step: number;
  readonly action: SequenceStep['action'];
  readonly steps: readonly SequenceStep[];
  readonly contactId: string | undefined;
  readonly onContact: (id: string) => void;
}

/** One step as one person would get it, also before it is saved. */
export function StepPreview({ id, step, action, steps, contactId, onContact }: Props) {
  const [width, setWidth] = useState<PreviewWidth>('desktop');
  const [q, setQ] = useState('');
  const may = useMay('operate');
  const { data: found } = useQuery(ofContacts({ q: q === '' ? undefined : q }));
  const { data: named } = useQuery({
    ...ofContact(contactId ?? ''),
    enabled: contactId !== undefined,
    retry: false,
  });
  const contact = named ?? found?.items[0];
  const what = contact && { step, contactId: contact.id, steps };
  const { shown, error } = useShown(id, what);
  return (
    <Panel title="Preview" note="safe: scripts off" aside={<WidthSwitch value={width} onChange={setWidth} />}>
      <div className="flex min-w-0 flex-col gap-3 p-3.5">
        {found?.items.length === 0 && q === '' ? (
          <p className="text-table text-ink-2">
            There is nobody yet to show it for. <Link to="/contacts">Add a contact</Link>.
          </p>
        ) : (
          <Chooser items={found?.items ?? []} contact={contact} q={q} onFind={setQ} onContact={onContact} />
        )}
        {error !== undefined && (
          <p role="status" className="rounded-control bg-tint-retry px-3 py-2 text-table wrap-anywhere">
            {visible(error)}
          </p>
        )}
        {shown && <Shown id={id} shown={shown} width={width} old={error !== undefined} />}
        {may && what && <TestSend id={id} what={what} action={action} />}
      </div>
    </Panel>
  );
}

interface ShownPreview {
  readonly preview: SequencePreview;
  readonly what: WhatToShow;
  readonly at: number;
}

/** What could be shown last stays, until something else can be. */
function useShown(id: string, what: WhatToShow | undefined) {
  const { data, error } = useQuery(ofStepPreview(id, what));
  const [shown, setShown] = useState<ShownPreview>();
  if (data && what && shown?.preview !== data) setShown({ preview: data, what, at: serviceNow() });
  const mine = shown && shown.what.step === what?.step && shown.what.contactId === what.contactId;
  return {
    shown: mine ? shown : undefined,
    error: error ? faultWords(error).replace(/^ContactId: /, '') : undefined,
  };
}

interface ChooserProps {
  readonly items: readonly Contact[];
  readonly contact: Contact | undefined;
  readonly q: string;
  readonly onFind: (q: string) => void;
  readonly onContact: (id: string) => void;
}

function Chooser({ items, contact, q, onFind, onContact }: ChooserProps) {
  const all = contact && !items.some(({ id }) => id === contact.id) ? [contact, ...items] : items;
  const at = all.findIndex(({ id }) => id === contact?.id);
  const step = (by: 1 | -1) => {
    const next = all[at + by];
    if (next) onContact(next.id);
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field label="As this person would get it" className="flex-1 basis-52">
        <Choice
          value={contact?.id ?? ''}
          options={all.map((each) => ({ value: each.id, label: visible(labelOf(each)).slice(0, 80) }))}
          onChange={onContact}
        />
      </Field>
      <span className="flex gap-1">
        <Button aria-label="Previous person" disabled={at <= 0} onClick={() => step(-1)}>
          <ChevronLeft size={15} strokeWidth={1.75} aria-hidden />
        </Button>
        <Button aria-label="Next person" disabled={at < 0 || at >= all.length - 1} onClick={() => step(1)}>
          <ChevronRight size={15} strokeWidth={1.75} aria-hidden />
        </Button>
      </span>
      <FindField label="Find a person" value={q} onFind={onFind} />
      {all.length === 0 && <p className="w-full text-note text-ink-2">Nobody is found by that.</p>}
    </div>
  );
}

function labelOf({ name, email, linkedinId, id, attributes }: Contact): string {
  const company = attributes['company'];
  return [name ?? email ?? linkedinId ?? id, ...(company === undefined ? [] : [String(company)])].join(', ');
}

interface ShownProps {
  readonly id: string;
  readonly shown: ShownPreview;
  readonly width: PreviewWidth;
  /** It could not be shown as it is now. */
  readonly old: boolean;
}

function Shown({ id, shown: { preview, what, at }, width, old }: ShownProps) {
  const zone = useZone();
  const [part, setPart] = useState<'html' | 'text' | 'headers'>('html');
  const present = part === 'html' && preview.html === null ? 'text' : part;
  const hasHeaders = Object.keys(preview.headers).length > 0;
  return (
    <>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-table wrap-anywhere">
        <dt className="text-ink-2">From</dt>
        <dd>
          <bdi>{visible(preview.from)}</bdi>
        </dd>
        {(preview.subject !== '' || preview.html !== null) && (
          <>
            <dt className="text-ink-2">Subject</dt>
            <dd className="font-semibold">
              <bdi>{visible(preview.subject)}</bdi>
            </dd>
          </>
        )}
      </dl>
      {old && (
        <p className="text-note text-ink-2">
          Below: as of {secondsOf(at, zone)}, the last that could be read.
        </p>
      )}
      <div role="group" aria-label="Part of the mail" className="flex gap-1">
        {(['html', 'text', 'headers'] as const)
          .filter((each) => each !== 'html' || preview.html !== null)
          .filter((each) => each !== 'headers' || hasHeaders)
          .map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === present}
              onClick={() => setPart(each)}
              className="min-h-7 rounded-control border border-transparent px-2.5 text-table hover:bg-hover aria-pressed:border-line aria-pressed:bg-sunken aria-pressed:font-bold coarse:min-h-11"
            >
              {PARTS[each]}
            </button>
          ))}
      </div>
      {present === 'html' ? (
        <PreviewFrame
          path={`${sequenceAt(id)}/document`}
          json={JSON.stringify(what)}
          subject={visible(preview.subject)}
          remoteImages={preview.remoteImages}
          width={width}
        />
      ) : present === 'text' ? (
        <pre
          tabIndex={0}
          role="region"
          aria-label="Text of the mail"
          className="max-h-[480px] overflow-y-auto rounded-panel border border-line px-3.5 py-3 font-sans text-body wrap-anywhere whitespace-pre-wrap"
        >
          <bdi>{visible(preview.text, { lines: true })}</bdi>
        </pre>
      ) : (
        <HeadersList headers={preview.headers} label="Headers of the mail" />
      )}
    </>
  );
}

const PARTS = { html: 'HTML', text: 'Text', headers: 'Headers' };
