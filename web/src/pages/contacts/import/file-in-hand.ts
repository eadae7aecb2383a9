import { useNavigate } from '@tanstack/react-router';
import { uploadFile, type HowToRead } from '../../../api/contacts';
import { faultWords } from '../../../parts/fault-words';
import { createStore } from '../../../store';

/** A file that somebody has chosen: the browser can read it again as long as this page is open. */
export interface FileInHand {
  readonly file: File;
  readonly how: HowToRead;
}

interface Sending {
  readonly name: string;
  readonly share: number;
}

interface Refused extends FileInHand {
  readonly why: string;
}

/** On its way: one at a time, wherever somebody goes meanwhile. */
const underWay = createStore<Sending | undefined>(undefined);
const refused = createStore<Refused | undefined>(undefined);
/** The last one that arrived, by the import that it became. */
const arrived = createStore<{ readonly importId: string; readonly file: File } | undefined>(undefined);

export const useUpload = underWay.use;
export const useRefused = refused.use;
export const letGo = () => refused.set(undefined);
/** Undefined: it was chosen on another page, or before this one was loaded anew. */
export function useFileOf(importId: string): File | undefined {
  const known = arrived.use();
  return known?.importId === importId ? known.file : undefined;
}

/** Sends a file and opens what is then to be said about it. What does not arrive stays in hand, to be sent in another way. */
export function useSendFile(): (file: File | undefined, how?: HowToRead) => void {
  const navigate = useNavigate();
  return (file, how = {}) => {
    if (!file || underWay.get()) return;
    const { name } = file;
    letGo();
    underWay.set({ name, share: 0 });
    uploadFile(file, how, (share) => underWay.set({ name, share }))
      .then(({ id }) => {
        arrived.set({ importId: id, file });
        return navigate({
          to: '/contacts/import/$importId',
          params: { importId: id },
          // The page of what it stands for is gone.
          replace: how.instead !== undefined,
        });
      })
      .catch((error: unknown) => refused.set({ file, how, why: faultWords(error) }))
      .finally(() => underWay.set(undefined));
  };
}
