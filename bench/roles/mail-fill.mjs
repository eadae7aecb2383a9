// @ts-check
import { timed } from '../figures.mjs';
import { MAILERS } from '../mailers/index.mjs';

/**
 * @param {{ mailer: import('../mailers/index.mjs').MailerName, url: string, mails: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ mailer, url, mails }, parent) {
  const { seconds } = await timed(() => MAILERS[mailer].fill(url, mails));
  parent.tell({ kind: 'result', seconds });
}
