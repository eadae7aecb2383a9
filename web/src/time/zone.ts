import { useQuery } from '@tanstack/react-query';
import { ofSending } from '../api/queries';

/** The zone that the workspace lives in. */
export function useZone(): string {
  const { data } = useQuery(ofSending());
  return data?.timezone ?? 'UTC';
}
