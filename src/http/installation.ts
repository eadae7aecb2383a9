import { readFileSync } from 'node:fs';
import type { Service } from './service.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** What a page must know about the server before it shows anything of a workspace. */
export async function installationOf({ box, inbox, demo }: Service, workspaceId: number) {
  return {
    version,
    /** What is shown was made up, and nothing leaves this machine. */
    demo: demo?.inUse ?? false,
    /** The built-in catcher runs, and this workspace may read what it took. */
    inbox: inbox !== undefined && workspaceId === box.home.id,
    /** Pages tick with this one: machines differ, and a demonstration may run faster. */
    clock: { now: new Date(await box.store.now()).toISOString(), speed: box.store.speed },
  };
}
