import { PillarboxError } from '../core/errors.js';
import type { AccountView } from '../accounts/view.js';
import type { Workspace } from '../library/workspace.js';
import type { DemoMark } from './mark.js';

const PROVIDER_IS_OFF = 'the demo is off: its mail provider does not run';

/** The accounts of the demo that still are what it made of them. What a person has changed is his. */
async function* untouched(
  { accounts }: Workspace,
  { accounts: ids, providerUrl }: DemoMark,
): AsyncGenerator<AccountView> {
  for (const id of Object.values(ids ?? {})) {
    const account = await accounts.get(id).catch(ignoreMissing);
    const { transport } = account ?? {};
    if (account && transport && 'url' in transport && transport.url === providerUrl) yield account;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof PillarboxError && error.code === 'not_found') return undefined;
  throw error;
}

/** The provider listens elsewhere with every start; the accounts follow it, and go on if they waited for it. */
export async function follow(workspace: Workspace, mark: DemoMark, url: string): Promise<void> {
  for await (const { id, pauseReason } of untouched(workspace, mark)) {
    // What is as it should be stays untouched: workers connect anew when an account changes.
    if (url === mark.providerUrl && pauseReason !== PROVIDER_IS_OFF) continue;
    await workspace.accounts.update(id, {
      transport: { kind: 'smtp', url },
      ...(pauseReason === PROVIDER_IS_OFF && { status: 'active' }),
    });
  }
}

/** Without the provider there is nobody to send to: what is left of the demo waits and does not become dead letters. */
export async function rest(workspace: Workspace, mark: DemoMark): Promise<void> {
  for await (const { id, status } of untouched(workspace, mark)) {
    if (status === 'active')
      await workspace.accounts.update(id, { status: 'paused', pauseReason: PROVIDER_IS_OFF });
  }
}
