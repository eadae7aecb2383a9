import type { HealthLevel } from './health.js';

/** How an installation's workers, relays and broker stand at one moment. */
export interface WorkersFacts {
  /** Those that are alive. */
  readonly senders: number;
  readonly relays: number;
  /** Since when the last of those that send was not heard, where none is alive and one was; in real time. */
  readonly lastHeardMs: number | null;
  /** Sends at once of all of them together, and how many of these are taken. */
  readonly places: number;
  readonly busy: number;
  /** What waits or is in flight. */
  readonly waiting: number;
  /** Of what could leave now, that which was passed on to the broker. */
  readonly queued: number;
  readonly oldestQueuedMs: number | null;
  /** Null: there is none. */
  readonly broker: {
    readonly standing: 'up' | 'blocked' | 'down';
    readonly silentMs: number;
    /** Null: nobody could be asked. */
    readonly consumers: number | null;
    /** What is so late is claimed past it; 0: never. */
    readonly directAfterSeconds: number;
  } | null;
}

export interface Plate {
  readonly level: HealthLevel;
  readonly sentence: string;
  readonly evidence: string;
}

/** What was passed on is taken within a second where anybody takes it. */
const UNTAKEN_MS = 30_000;

const number = (n: number): string => n.toLocaleString('en-GB');
const mails = (n: number): string => (n === 1 ? '1 mail waits' : `${number(n)} mails wait`);
const wait = (n: number): string => (n === 1 ? '1 waits' : `${number(n)} wait`);

function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return seconds === 1 ? '1 second' : `${String(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${String(minutes)} minutes` : `${String(Math.round(minutes / 60))} hours`;
}

/** Does anyone send, does the broker answer, how long does mail wait: in one sentence, and what it rests on. */
export function judgeWorkers(facts: WorkersFacts): Plate {
  const { level, sentence } = judge(facts);
  return { level, sentence, evidence: evidenceOf(facts) };
}

function judge(facts: WorkersFacts): Pick<Plate, 'level' | 'sentence'> {
  const { senders, relays, lastHeardMs, waiting, queued, oldestQueuedMs, broker } = facts;
  if (senders === 0) {
    const since = lastHeardMs === null ? '' : ` for ${lasting(lastHeardMs)}`;
    return {
      level: waiting > 0 ? 'act' : 'look',
      sentence: `No worker answers${since}. ${waiting > 0 ? `${mails(waiting)}.` : 'Nothing waits.'}`,
    };
  }
  if (!broker)
    return {
      level: 'fine',
      sentence: `Mail is leaving. ${waiting === 0 ? 'Nothing waits' : mails(waiting)}.`,
    };
  if (broker.standing === 'down')
    return {
      level: 'look',
      sentence: `RabbitMQ has not answered for ${lasting(broker.silentMs)}. Nothing is lost.`,
    };
  if (broker.standing === 'blocked')
    return {
      level: 'look',
      sentence: 'RabbitMQ takes nothing: it is short of memory or disk. Nothing is lost.',
    };
  if (queued > 0 && (broker.consumers === 0 || (oldestQueuedMs ?? 0) > UNTAKEN_MS))
    return { level: 'look', sentence: `${wait(queued)} in the broker and no sender takes them.` };
  if (relays === 0)
    return { level: 'look', sentence: 'No relay answers. Senders take mail from the database themselves.' };
  const oldest = oldestQueuedMs === null ? '' : `, the oldest for ${lasting(oldestQueuedMs)}`;
  const held = queued === 0 ? 'Nothing waits' : wait(queued);
  return { level: 'fine', sentence: `Mail is leaving. ${held} in the broker${oldest}.` };
}

function evidenceOf(facts: WorkersFacts): string {
  const { senders, relays, places, busy, waiting, broker } = facts;
  if (senders === 0) return 'Start one: pillarbox work. What waits is safe in the database.';
  if (broker && broker.standing !== 'up' && waiting > 0) {
    const { directAfterSeconds: after } = broker;
    const bypass =
      after > 0
        ? `Senders take what is late by ${lasting(after * 1_000)} themselves; the rest leaves`
        : 'They leave';
    return `${mails(waiting)} in the database. ${bypass} when it is back, without your doing.`;
  }
  const taken = places > 0 ? `; ${number(busy)} of ${number(places)} places are taken` : '';
  const crowded =
    places > 0 && busy >= 0.9 * places && waiting > busy ? ' One more would shorten the wait.' : '';
  const who = `${number(senders)} ${senders === 1 ? 'worker' : 'workers'}`;
  const all = broker ? `${who}, ${number(relays)} ${relays === 1 ? 'relay' : 'relays'}` : who;
  return `${all} alive${taken}.${crowded}`;
}
