import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { ofSending } from '../api/queries';

const UNKNOWN = 'UTC';
const Zone = createContext(UNKNOWN);

/** The zone that the workspace lives in. */
export const useZone = (): string => useContext(Zone);

/** Asked once for a page full of times. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(ofSending());
  return <Zone value={data?.timezone ?? UNKNOWN}>{children}</Zone>;
}
