import type { Scope } from '../api/types';
import { useMay } from '../session';
import { useOffline } from './live-indicator';

/** Whether something can be done from here now: the role allows it, and somebody answers. */
export function useMayAct(scope: Scope): boolean {
  const may = useMay(scope);
  const offline = useOffline();
  return may && offline === undefined;
}
