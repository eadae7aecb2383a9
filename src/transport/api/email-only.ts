import { ComposeError } from '../../mime/compose-error.js';
import type { Outgoing } from '../transport.js';

/** For providers of mail. What was meant for LinkedIn must not turn into one. */
export function refuseOtherActions({ action }: Outgoing): void {
  if (action !== 'email')
    throw new ComposeError('action', `is ${action}, which an account for mail can't do`);
}
