import { FINISHED_STATES, type State } from '../../core/lifecycle.js';
import { amongText, type List } from '../among.js';
import { askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { reasonCounted } from './reason-counted.js';
import type { Condition, LocalSpan, MessageFilter } from './message-list.js';

/**
 * One statement in the making, for either database. Whatever differs from one question to the next is bound, never
 * written out: the same question must be the same text, because texts are planned and kept.
 */
export class Question {
  readonly #parameters: (string | number | List)[] = [];

  constructor(private readonly store: Store) {}

  readonly at = (table: string): string => this.store.at(table);

  /** Answers the mark under which the value is known; it may be used more than once. */
  readonly bind = (value: string | number | List): string => {
    this.#parameters.push(value);
    return `${this.store.dialect === 'postgres' ? '$' : '?'}${String(this.#parameters.length)}`;
  };

  /** Is one of these. */
  among(column: string, list: List): string {
    return amongText(this.store, column, list, this.bind);
  }

  /**
   * Of each of these names the row that has it, as `r`. While a table grows, PostgreSQL takes a workspace for a handful of
   * rows and would read all of them to find those: so each is looked up by itself.
   */
  named(
    { table, columns, where, by }: Readonly<Record<'table' | 'columns' | 'where' | 'by', string>>,
    names: readonly string[],
  ): string {
    const own = `from ${this.at(table)} r where ${where}`;
    return this.store.dialect === 'postgres'
      ? `select ${columns} from unnest(${this.bind(names)}::text[]) named(name)
         cross join lateral (select r.* ${own} and r.${by} = named.name limit 1) r`
      : `select ${columns} ${own} and ${this.among(`r.${by}`, names)}`;
  }

  rows<Row>(sql: string): Script<readonly Row[]> {
    return askCompiled<Row>({ sql, parameters: this.#parameters });
  }

  *ids(sql: string): Script<readonly number[]> {
    return (yield* this.rows<{ id: number }>(sql)).map((row) => row.id);
  }

  /** The joins and conditions of `m`, a message. */
  where(
    { states, lane, channelIds, fingerprint, before, step, spans, reason }: MessageFilter,
    { subjectWords = [], recipientPrefixes = [] }: Condition,
    byState: boolean,
  ): string {
    const narrowed = byState && states !== undefined;
    const conditions = [
      ...(before === undefined ? [] : [`m.id < ${this.bind(before)}`]),
      ...(lane === undefined ? [] : [`m.lane = ${this.bind(lane)}`]),
      ...(channelIds === undefined ? [] : [this.among('m.channel_id', channelIds)]),
      ...(step === undefined ? [] : [`m.step_number = ${this.bind(step)}`]),
      ...(spans === undefined ? [] : [this.#within(spans)]),
      ...(reason === undefined ? [] : [`${reasonCounted('o.state')} = ${this.bind(reason)}`]),
      ...subjectWords.map((word) => this.#subjectHas(word)),
      ...(recipientPrefixes.length === 0
        ? []
        : [`(${recipientPrefixes.map((prefix) => this.startsWith('m.recipient', prefix)).join(' or ')})`]),
      ...(narrowed ? [isIn(states)] : []),
      ...(narrowed && fingerprint !== undefined ? [`o.fingerprint = ${this.bind(fingerprint)}`] : []),
    ];
    const joins =
      narrowed || spans !== undefined || reason !== undefined
        ? `left join ${this.at('due')} d on d.message_id = m.id left join ${this.at('outcomes')} o on o.message_id = m.id`
        : '';
    return `${joins} where ${conditions.length === 0 ? '1 = 1' : conditions.join(' and ')}`;
  }

  /**
   * When it was last taken in hand, which is the day that it is counted on, however long that took; when it ended, if it
   * never was; or, of one that has not ended, when it is to leave: `d` and `o` as in `isIn`.
   */
  #within(spans: readonly LocalSpan[]): string {
    const tried = `select max(a.claimed_at) from ${this.at('attempts')} a where a.message_id = m.id`;
    const of = ({ channelIds, from, until, holdsNow }: LocalSpan) => {
      const [begin, end] = [this.bind(from), this.bind(until)];
      const ended = `o.message_id is not null and coalesce((${tried}), o.finished_at) between ${begin} and ${this.bind(until - 1)}`;
      const waits = holdsNow
        ? `(d.message_id is null or d.due_at < ${end})`
        : `d.due_at >= ${begin} and d.due_at < ${end}`;
      return `(${this.among('m.channel_id', channelIds)} and (${ended} or (o.message_id is null and ${waits})))`;
    };
    return spans.length === 0 ? '1 = 0' : `(${spans.map(of).join(' or ')})`;
  }

  isOneOf(column: string, texts: readonly string[]): string {
    return `${column} in (${texts.map((text) => this.bind(text)).join(', ')})`;
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
