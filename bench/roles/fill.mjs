// @ts-check
import { CONTENDERS } from '../contenders/index.mjs';

/**
 * @param {{ contender: import('../contenders/index.mjs').ContenderName, url: string, mails: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ contender, url, mails }, parent) {
  await CONTENDERS[contender].fill(url, mails);
  parent.tell({ kind: 'result' });
}
