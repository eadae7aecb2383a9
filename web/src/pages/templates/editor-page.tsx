import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client';
import { ofTemplate } from '../../api/templates';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { SkeletonRows } from '../../parts/skeleton';
import { TopBar } from '../../shell/top-bar';
import { TemplateEditor, WITHIN } from './editor';

interface Props {
  readonly id: string;
  readonly version: string | undefined;
  readonly locale: string | undefined;
}

/** Does every locale render for a real event? */
export function TemplateEditorPage({ id, version, locale }: Props) {
  const { data, error, refetch } = useQuery(ofTemplate(id, version));
  // Stays while versions come and go: whoever compares them looks at the same event.
  const [eventId, setEventId] = useState<string>();
  if (data) {
    // What was saved is another thing to write on.
    const stamp = data.locales.map((text) => `${text.locale} ${text.updatedAt}`).join();
    return (
      <TemplateEditor
        key={`${data.version} ${stamp}`}
        {...{ saved: data, version, locale, eventId }}
        onEvent={setEventId}
      />
    );
  }
  return (
    <>
      <TopBar title={error ? 'Not found' : ''} within={WITHIN} />
      <div className="p-5 max-sm:p-3.5">
        {error instanceof ApiError && (error.status === 404 || error.status === 400) ? (
          <Empty
            title="There is no such template, or not in that version."
            actions={
              <Link to="/templates" className={buttonLook('primary')}>
                Show all templates
              </Link>
            }
          />
        ) : error ? (
          <Failure error={error} what="this template" onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} />
        )}
      </div>
    </>
  );
}
