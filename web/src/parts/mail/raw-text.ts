import { queryOptions } from '@tanstack/react-query';
import { ApiError, workspaceHeaders } from '../../api/client';

export interface RawText {
  readonly text: string;
  /** There is more than is shown: download it. */
  readonly folded: boolean;
}

/** As much as can be read with pleasure. */
const FOLDED_ABOVE_BYTES = 200_000;

/** The beginning of a mail's bytes as text. The rest of a large one is never fetched. */
export const ofRaw = (path: string) =>
  queryOptions({
    queryKey: ['raw', path],
    queryFn: ({ signal }) => readRaw(path, signal),
    staleTime: Infinity,
  });

async function readRaw(path: string, signal: AbortSignal): Promise<RawText> {
  const response = await fetch(path, { headers: workspaceHeaders(), credentials: 'same-origin', signal });
  if (!response.ok || !response.body) {
    throw new ApiError(response.status, 'unreadable', `The server answered ${String(response.status)}.`);
  }
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let [text, bytes] = ['', 0];
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const room = FOLDED_ABOVE_BYTES - bytes;
    text += decoder.decode(chunk.value.subarray(0, room), { stream: true });
    bytes += chunk.value.length;
    if (bytes <= FOLDED_ABOVE_BYTES) continue;
    await reader.cancel();
    return { text, folded: true };
  }
  return { text: text + decoder.decode(), folded: false };
}
