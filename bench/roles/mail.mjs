// @ts-check
import { consume } from '../consuming.mjs';
import { MAILERS } from '../mailers/index.mjs';

/**
 * One sending process.
 *
 * @param {Omit<import('../mailers/mailer.mjs').Job, 'handled'> & { mailer: import('../mailers/index.mjs').MailerName }} args
 * @param {import('../child.mjs').Parent} parent
 */
export const act = ({ mailer, ...job }, parent) =>
  consume((handled) => MAILERS[mailer].consumer({ ...job, handled }), parent);
