import { FINISHED_STATES, type State } from '../../core/lifecycle.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { Condition, MessageFilter } from './message-list.js';

/** One statement in the making, for either database. Numbers are written out; texts are bound. */
export class Question {
  readonly #parameters: string[] = [];

  constructor(private readonly store: Store) {}

  readonly at = (table: string): string => this.store.at(table);

  bind(text: string): string {
    this.#parameters.push(text);
    return `${this.store.dialect === 'postgres' ? '$' : '?'}${String(this.#parameters.length)}`;
  }

  rows<Row>(sql: string): Script<readonly Row[]> {
    return askCompiled<Row>({ sql, parameters: this.#parameters });
  }

  *ids(sql: string): Script<readonly number[]> {
    return (yield* this.rows<{ id: number }>(sql)).map((row) => row.id);
  }

  /** The joins and conditions of `m`, a message. */
  where(
    { states, lane, channelIds, fingerprint, before }: MessageFilter,
    { subjectWords = [], recipientPrefixes = [] }: Condition,
    byState: boolean,
  ): string {
    const narrowed = byState && states !== undefined;
    const conditions = [
      ...(before === undefined ? [] : [`m.id < ${String(before)}`]),
      ...(lane === undefined ? [] : [`m.lane = ${this.bind(lane)}`]),
      ...(channelIds === undefined ? [] : [`m.channel_id in (${[0, ...channelIds].join(', ')})`]),
      ...subjectWords.map((word) => this.#subjectHas(word)),
      ...(recipientPrefixes.length === 0
        ? []
        : [`(${recipientPrefixes.map((prefix) => this.startsWith('m.recipient', prefix)).join(' or ')})`]),
      ...(narrowed ? [isIn(states)] : []),
      ...(narrowed && fingerprint !== undefined ? [`o.fingerprint = ${this.bind(fingerprint)}`] : []),
    ];
    const joins = narrowed
      ? `left join ${this.at('due')} d on d.message_id = m.id left join ${this.at('outcomes')} o on o.message_id = m.id`
      : '';
    return `${joins} where ${conditions.length === 0 ? '1 = 1' : conditions.join(' and ')}`;
  }

  /** A stretch of the index, in the order of its bytes. */
  startsWith(column: string, prefix: string): string {
    const [least, most] = this.store.dialect === 'postgres' ? ['~>=~', '~<~'] : ['>=', '<'];
    return `(${column} ${least} ${this.bind(prefix)} and ${column} ${most} ${this.bind(`${prefix}${LAST}`)})`;
  }

  /** In whatever case. SQLite knows the case of ASCII letters only. */
  #subjectHas(word: string): string {
    const like = this.store.dialect === 'postgres' ? 'ilike' : 'like';
    const literal = word.replace(/[\\%_]/g, (sign) => `\\${sign}`);
    return `m.subject ${like} ${this.bind(`%${literal}%`)} escape '\\'`;
  }
}

/** Sorts behind every character that an address may hold. */
const LAST = '\u{10ffff}';

/** What the places say: `d` is its row in `due`, `o` its row in `outcomes`. */
function isIn(states: readonly State[]): string {
  const finished = FINISHED_STATES.filter((state) => states.includes(state));
  const waits = (condition: string) => `(o.message_id is null and d.message_id is not null and ${condition})`;
  const conditions = [
    ...(finished.length > 0 ? [`o.state in (${finished.map((state) => `'${state}'`).join(', ')})`] : []),
    ...(states.includes('queued') ? [waits('d.queued_at is not null')] : []),
    ...(states.includes('scheduled') ? [waits('d.queued_at is null and d.tried = 0')] : []),
    ...(states.includes('retry_scheduled') ? [waits('d.queued_at is null and d.tried = 1')] : []),
    ...(states.includes('sending') ? ['(o.message_id is null and d.message_id is null)'] : []),
  ];
  return `(${conditions.join(' or ')})`;
}
