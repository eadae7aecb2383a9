// @ts-check
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compose, toBytes } from '../dist/mime/compose.js';
import { Child, play } from './children.mjs';
import { settleDown } from './database.mjs';
import { handleAll, waitUntil } from './draining.mjs';
import { instant } from './figures.mjs';
import { aLetter, FROM } from './letters.mjs';
import { MAILERS } from './mailers/index.mjs';
import { CONNECTIONS } from './mailers/mailer.mjs';
import { startPostfix } from './servers/postfix.mjs';
import { inject } from './servers/smtp-source.mjs';

/** Enough for every process of Postfix to be there. */
const WARM_UP = 400;

/** @typedef {import('./servers/smtp-sink.mjs').Sink} Sink */
/** @typedef {{ url: string, drop: () => Promise<void> }} Place */

/**
 * Fills a queue, has it delivered to a sink, and looks whether it was done right: from the first mail accepted, so
 * that start-up counts for nobody, until the queue is empty, so that the last settlement counts for all.
 *
 * @param {{ mailer: import('./mailers/index.mjs').MailerName, mails: number, place: Place, sink: Sink }} load
 * @returns {Promise<Record<'delivered' | 'overall' | 'cpu', number>>}
 */
export async function deliver({ mailer, mails, place, sink }) {
  const { url } = place;
  const { title, queue, watch } = MAILERS[mailer];
  try {
    const { seconds: fillSeconds } = await play('mail-fill', { mailer, url, mails });
    if (queue === 'postgres' || queue === 'sqlite') await settleDown(url);
    const child = new Child('mail', { mailer, url, smtp: sink.smtp, mails });
    const look = await watch(url);
    try {
      await child.heard('ready');
      const startedAt = await handleAll([child], mails);
      await waitUntil(look.isEmpty);
      const seconds = (instant() - startedAt) / 1_000;
      child.tell({ kind: 'stop' });
      const { handled, cpuMicroseconds } = await child.heard('result');
      const received = await sink.received();
      if (handled !== mails) throw new Error(`${title} delivered ${handled} of ${mails} mails`);
      if (received !== mails) throw new Error(`${title}: the sink received ${received} of ${mails} mails`);
      await look.check(mails);
      return {
        delivered: mails / seconds,
        overall: mails / (queue === 'none' ? seconds : fillSeconds + seconds),
        cpu: cpuMicroseconds / mails,
      };
    } finally {
      await look.close();
      await child.end();
    }
  } finally {
    await place.drop();
    await sink.stop();
  }
}

/**
 * The same through a Postfix that has nothing else to do, fed over as many connections as it sends on: from the
 * first mail handed in until the sink has the last one.
 *
 * @param {{ directory: string, mails: number, sink: Sink & { port: number } }} load
 * @returns {Promise<Record<'delivered' | 'overall', number>>}
 */
export async function relay({ directory, mails, sink }) {
  try {
    const postfix = await startPostfix(directory, { sinkPort: sink.port, connections: CONNECTIONS });
    try {
      const file = join(directory, 'letter');
      await writeFile(file, preformatted());
      const { port } = postfix;
      await pass({ port, mails: WARM_UP, sink, file });
      const perSecond = await pass({ port, mails, sink, file });
      const received = await sink.received();
      if (received !== WARM_UP + mails) throw new Error(`Postfix relayed ${received} mails`);
      return { delivered: perSecond, overall: perSecond };
    } finally {
      await postfix.stop();
    }
  } finally {
    await sink.stop();
  }
}

/**
 * @param {{ port: number, mails: number, sink: Sink, file: string }} load
 * @returns {Promise<number>} mails a second
 */
async function pass({ port, mails, sink, file }) {
  const before = await sink.received();
  const startedAt = instant();
  await inject({ port, mails, connections: CONNECTIONS, from: FROM.email, file });
  await waitUntil(async () => (await sink.received()) >= before + mails);
  return mails / ((instant() - startedAt) / 1_000);
}

/** As the load generator wants it: with bare line feeds. */
function preformatted() {
  const { idempotencyKey: _, ...letter } = aLetter(1);
  const mail = compose({ from: FROM, ...letter }, { messageId: '<1@example.test>', date: Date.now() });
  return toBytes(mail).toString('latin1').replaceAll('\r\n', '\n');
}
