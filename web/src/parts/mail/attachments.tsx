import { Paperclip } from 'lucide-react';
import { visible } from '../visible';
import { MailCard } from './mail-card';
import { sizeWords } from './size-words';

export interface MailFile {
  readonly filename: string | null;
  readonly contentType: string;
  readonly bytes: number;
  /** Where its bytes are at hand. */
  readonly contentBase64?: string;
}

/** What came along. Opened by nothing here: a file is saved, or only named. */
export const Attachments = ({ files }: { readonly files: readonly MailFile[] }) => (
  <MailCard icon={Paperclip} title="Attachments">
    {files.length === 0 && <p className="text-ink-2">None.</p>}
    <ul>
      {files.map((file, n) => (
        <li key={n} className="flex min-h-6 flex-wrap items-baseline gap-x-2 coarse:min-h-11">
          <FileName file={file} n={n} />
          <span className="figures text-ink-2">{sizeWords(file.bytes)}</span>
          <span className="text-note break-all text-ink-2">{visible(file.contentType)}</span>
        </li>
      ))}
    </ul>
  </MailCard>
);

function FileName({ file, n }: { readonly file: MailFile; readonly n: number }) {
  const name = visible(file.filename ?? `part ${String(n + 1)}`);
  const { contentBase64 } = file;
  if (contentBase64 === undefined) return <bdi className="break-all">{name}</bdi>;
  return (
    <button
      type="button"
      aria-label={`Download ${name}`}
      onClick={() => save(contentBase64, name)}
      className="text-left break-all text-link underline-offset-3 hover:underline"
    >
      <bdi>{name}</bdi>
    </button>
  );
}

/** As bytes and nothing else: whatever it says it is, the browser does not open it. */
function save(contentBase64: string, name: string): void {
  const bytes = Uint8Array.from(atob(contentBase64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[/\\:]/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
