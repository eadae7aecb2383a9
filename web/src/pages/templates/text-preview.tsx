import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ofTemplatePreview,
  type TemplateDetail,
  type TemplateToShow,
  type TextDraft,
} from '../../api/templates';
import type { Answers } from '../../api/types';
import { Button } from '../../parts/button';
import { faultWords } from '../../parts/fault-words';
import { HeadersList } from '../../parts/mail/headers-list';
import { PreviewFrame } from '../../parts/mail/preview-frame';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { serviceNow } from '../../time/clock';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';
import { TemplateTest } from './template-test';

type Preview = Answers['previewTemplate'];

interface Props {
  readonly saved: TemplateDetail;
  readonly settled: TextDraft;
  readonly eventId: string | undefined;
  readonly headers: boolean;
  readonly language: string;
  /** What is wrong is said already. */
  readonly told: boolean;
}

/** As a reader of this locale would get it. What could be shown last stays, until something else can be. */
export function TextPreview({ saved, settled, eventId, headers, language, told }: Props) {
  const may = useMayAct('operate');
  const zone = useZone();
  const [testing, setTesting] = useState(false);
  const { locale, ...draft } = settled;
  const what: TemplateToShow = {
    ...{ id: saved.id, version: saved.version, locale, draft },
    ...(eventId !== undefined && { eventId }),
  };
  const { data, error } = useQuery(ofTemplatePreview(what));
  const [shown, setShown] = useState<{ preview: Preview; what: TemplateToShow; at: number }>();
  const isWhole = data !== undefined && data.subject !== null;
  if (isWhole && shown?.preview !== data) setShown({ preview: data, what, at: serviceNow() });
  const wrong = error ? faultWords(error) : data?.faults[0]?.message;
  const isOld = !isWhole && (data !== undefined || error !== null);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {wrong !== undefined && !told && (
        <p role="status" className="rounded-control bg-tint-retry px-2.5 py-1.5 text-table wrap-anywhere">
          <bdi>{visible(wrong)}</bdi>
        </p>
      )}
      {!shown && isOld && (
        <p className="text-note text-ink-2">There would be no mail, so there is none to show.</p>
      )}
      {shown && (
        <>
          {isOld && (
            <p className="text-note text-ink-2">
              Below: as of {secondsOf(shown.at, zone)}, the last that could be read.
            </p>
          )}
          {headers ? (
            <Headers {...{ headers: shown.preview.headers, language }} />
          ) : (
            <p lang={locale} dir={shown.preview.direction} className="text-table font-semibold wrap-anywhere">
              <span className="sr-only">Subject: </span>
              {visible(shown.preview.subject ?? '')}
            </p>
          )}
          {headers ? null : shown.preview.html === null ? (
            <pre
              tabIndex={0}
              role="region"
              aria-label={`Text of the mail in ${language}`}
              lang={locale}
              dir={shown.preview.direction}
              className="max-h-[480px] overflow-y-auto rounded-panel border border-line px-3.5 py-3 font-sans text-body wrap-anywhere whitespace-pre-wrap"
            >
              {visible(shown.preview.text ?? '', { lines: true })}
            </pre>
          ) : (
            <PreviewFrame
              path="/api/templates/document"
              json={JSON.stringify(shown.what)}
              subject={`${language}: ${visible(shown.preview.subject ?? '')}`}
              remoteImages={shown.preview.remoteImages}
            />
          )}
        </>
      )}
      {may && isWhole && (
        <p>
          <Button aria-label={`Send test in ${language}…`} onClick={() => setTesting(true)}>
            Send test…
          </Button>
        </p>
      )}
      {testing && <TemplateTest what={what} language={language} onClose={() => setTesting(false)} />}
    </div>
  );
}

const Headers = ({ headers, language }: Pick<Preview, 'headers'> & { readonly language: string }) => (
  <>
    <HeadersList headers={headers} label={`Headers in ${language}`} />
    <p className="text-note text-ink-2">
      Its reader and its link are examples. Date and Message-ID are made when it leaves.
    </p>
  </>
);
