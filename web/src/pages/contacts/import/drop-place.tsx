import { useNavigate } from '@tanstack/react-router';
import { useState, type DragEvent, type ReactNode } from 'react';
import { uploadFile } from '../../../api/contacts';
import { faultWords } from '../../../parts/fault-words';
import { showToast } from '../../../parts/toast';
import { createStore } from '../../../store';

/** A file that is on its way: one at a time, wherever somebody goes meanwhile. */
const underWay = createStore<{ readonly name: string; readonly share: number } | undefined>(undefined);
export const useUpload = underWay.use;

/** Sends a file and opens what is then to be said about it. */
export function useSendFile(): (file: File | undefined) => void {
  const navigate = useNavigate();
  return (file) => {
    if (!file || underWay.get()) return;
    const { name } = file;
    underWay.set({ name, share: 0 });
    uploadFile(file, (share) => underWay.set({ name, share }))
      .then((taken) => navigate({ to: '/contacts/import/$importId', params: { importId: taken.id } }))
      .catch((error: unknown) => showToast({ text: faultWords(error), tone: 'fault' }))
      .finally(() => underWay.set(undefined));
  };
}

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
      <UploadProgress />
    </div>
  );
}

/** Nothing goes on without this page before the file is there. */
function UploadProgress() {
  const upload = useUpload();
  if (!upload) return null;
  return (
    <div className="fixed inset-x-4 bottom-20 z-30 mx-auto max-w-lg rounded-panel border border-line bg-surface px-4 py-3 text-table shadow-float">
      <Bar value={upload.share} max={1} label="Sent of the file" />
      <p className="mt-2 wrap-anywhere">
        {upload.share < 1
          ? `Sending ${upload.name}, ${String(Math.floor(upload.share * 100))} %.`
          : `Reading ${upload.name}.`}{' '}
        <span className="text-ink-2">Keep this page open until it is there.</span>
      </p>
    </div>
  );
}

export const Bar = ({
  value,
  max,
  label,
}: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
}) => (
  <progress
    value={value}
    max={max}
    aria-label={label}
    className="block h-1.5 w-full appearance-none overflow-hidden rounded-mark bg-grid [&::-moz-progress-bar]:bg-bar [&::-webkit-progress-bar]:bg-grid [&::-webkit-progress-value]:bg-bar"
  />
);
