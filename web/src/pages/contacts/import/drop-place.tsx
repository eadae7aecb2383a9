import { useState, type DragEvent, type ReactNode } from 'react';
import { useSendFile } from './file-in-hand';
import { Uploading } from './uploading';

const isFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** A whole page that takes a file. */
export function DropPlace({ may, children }: { readonly may: boolean; readonly children: ReactNode }) {
  const send = useSendFile();
  const [over, setOver] = useState(false);
  if (!may) return children;
  return (
    <div
      className={`flex flex-1 flex-col ${over ? 'outline-2 -outline-offset-4 outline-focus outline-dashed' : ''}`}
      onDragOver={(event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        setOver(false);
        send(event.dataTransfer.files[0]);
      }}
    >
      {children}
      <Uploading />
    </div>
  );
}
