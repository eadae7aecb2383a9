// @ts-check
import { consume } from '../consuming.mjs';
import { CONTENDERS } from '../contenders/index.mjs';

/**
 * One consuming process.
 *
 * @param {{ contender: import('../contenders/index.mjs').ContenderName, url: string }} args
 * @param {import('../child.mjs').Parent} parent
 */
export const act = ({ contender, url }, parent) =>
  consume((handled) => CONTENDERS[contender].consumer(url, handled), parent);
