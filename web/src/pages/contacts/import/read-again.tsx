import { useState } from 'react';
import type { HowToRead } from '../../../api/contacts';
import type { Import } from '../../../api/types';
import { ChooseFile } from './choose-file';
import { useFileOf, useSendFile, useUpload } from './file-in-hand';
import { Reading } from './reading';

/**
 * Only what was read of a file is kept, not the file: to be read in another way it is sent again. Nobody has to choose it
 * again as long as this page has it.
 */
export function ReadAgain({ known: { id, separator, encoding } }: { readonly known: Import }) {
  const file = useFileOf(id);
  const send = useSendFile();
  const busy = useUpload() !== undefined;
  const asRead: HowToRead = { separator, encoding };
  const [wanted, want] = useState(asRead);
  const differs = wanted.separator !== separator || wanted.encoding !== encoding;
  const read = (how: HowToRead, chosen = file) => send(chosen, { ...how, instead: id });
  return (
    <>
      <Reading
        how={file ? asRead : wanted}
        disabled={busy}
        hint={file ? 'another one reads the file again' : 'another one needs the file again'}
        onChange={file ? read : want}
      />
      {!file && differs && (
        <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
          <p role="status" className="min-w-0 flex-1 basis-60 text-table text-ink-2">
            This page does not have the file any more: choose it once more, and it is read like this.
          </p>
          <ChooseFile busy={busy} onChoose={(chosen) => read(wanted, chosen)}>
            Choose the file again
          </ChooseFile>
        </div>
      )}
    </>
  );
}
