import { useState } from 'react';
import { faultWords } from './fault-words';
import { showToast } from './toast';

/** One thing at a time, and what came of it in a toast; undefined: nothing was done. */
export function useAct(): readonly [busy: boolean, act: (work: () => Promise<string | undefined>) => void] {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    try {
      const done = await work();
      if (done !== undefined) showToast({ text: done });
    } catch (error) {
      showToast({ text: faultWords(error), tone: 'fault' });
    } finally {
      setBusy(false);
    }
  };
  return [busy, (work) => void run(work)];
}
