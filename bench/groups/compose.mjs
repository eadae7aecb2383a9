// @ts-check
import { play } from '../children.mjs';

/** @type {[composer: string, name: string][]} */
const COMPOSERS = [
  ['pillarbox', 'pillarbox'],
  ['nodemailer', 'nodemailer MailComposer'],
];
const WITH_FILE = ', with a file of 30 KB';

/** @type {import('./group.mjs').Group} */
export const compose = {
  title: 'Compose mails of 3 KB, text and html, without sending them',
  notes: ['pillarbox gets the file in base64, as it is stored; nodemailer as bytes, which is faster for it'],
  metrics: { composed: 'mails/s', cpu: 'µs CPU a mail', bytes: 'bytes a mail' },
  goals: ['', WITH_FILE].map((which) => ({
    of: `pillarbox${which}`,
    metric: 'composed',
    against: `nodemailer MailComposer${which}`,
    ...(which === '' && { atLeast: 10 }),
  })),
  open: async ({ sizes }) =>
    [false, true].flatMap((attached) =>
      COMPOSERS.map(([composer, name]) => ({
        name: attached ? name + WITH_FILE : name,
        run: async () => {
          const { perSecond, cpuMicroseconds, bytes } = await play('compose', {
            composer,
            mails: sizes.composed,
            attached,
          });
          return { composed: perSecond, cpu: cpuMicroseconds, bytes };
        },
      })),
    ),
};
