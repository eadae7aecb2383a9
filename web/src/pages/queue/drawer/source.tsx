import { useQuery } from '@tanstack/react-query';
import type { MessageDetail } from '../../../api/types';
import { HeadersTable } from '../../../parts/mail/headers-table';
import { readHead } from '../../../parts/mail/mail-head';
import { ofRaw } from '../../../parts/mail/raw-text';
import { RawView } from '../../../parts/mail/raw-view';
import { useMe } from '../../../session';
import { Gone } from './gone';

const pathOf = (id: string): string => `/api/messages/${encodeURIComponent(id)}/raw`;
const FRAME = 'overflow-hidden rounded-panel border border-line';

export function Headers({ id }: { readonly id: string }) {
  const { data, error } = useQuery(ofRaw(pathOf(id)));
  if (error) return <Gone error={error} />;
  return <div className={FRAME}>{data && <HeadersTable headers={readHead(data.text)} />}</div>;
}

export function Raw({ id }: { readonly id: string }) {
  const { workspaceId } = useMe();
  const { data, error } = useQuery(ofRaw(pathOf(id)));
  if (error) return <Gone error={error} />;
  return (
    <div className={FRAME}>
      {data && (
        <RawView
          {...data}
          label="The mail as the bytes that leave"
          download={`${pathOf(id)}?workspace=${encodeURIComponent(workspaceId)}`}
        />
      )}
    </div>
  );
}

export const Json = ({ message }: { readonly message: MessageDetail }) => (
  <div className={FRAME}>
    <RawView text={JSON.stringify(message, null, 2)} label="The message as the API answers it" />
  </div>
);
