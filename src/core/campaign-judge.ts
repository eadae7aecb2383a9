import type { Terms } from './campaign.js';
import { formatId } from './ids.js';
import type { Judged } from './simulation-judge.js';
import type { SimulatedViolation } from './simulation.js';
import { labelOf, Zone } from './zone.js';

/** What a campaign has set itself, and what of it had left before. */
export interface OwnBounds {
  readonly terms: Pick<Terms, 'startAt' | 'endAt' | 'dailyLimit' | 'maxNewPerDay'>;
  /** By whose days it counts: those of the workspace. */
  readonly timezone: string;
  /** In the order in which they left. */
  readonly before: readonly LeftBefore[];
}

export interface LeftBefore {
  readonly at: number;
  /** Null: it belongs to no sequence, and is the first of its person whoever that is. */
  readonly person: number | null;
}

type Limit = 'dailyLimit' | 'maxNewPerDay';
const KINDS = { dailyLimit: 'campaign_day', maxNewPerDay: 'campaign_new' } as const;
const WORDS = { dailyLimit: 'messages', maxNewPerDay: 'new people' } as const;

/** Judges what left of one campaign by what that campaign has set itself, and by nothing that planned it. */
export function* judgeBounds(bounds: OwnBounds, own: readonly Judged[]): Generator<SimulatedViolation> {
  const { startAt, endAt } = bounds.terms;
  const days = new CountedDays(bounds);
  for (const { at, person } of bounds.before) days.count(at, person);
  for (const { at, accountId, messageId, step } of own) {
    const place = { accountId: formatId('account', accountId), when: new Date(at).toISOString() };
    const id = formatId('message', messageId);
    if (startAt !== null && at < startAt)
      yield { kind: 'campaign_start', ...place, sentence: `${id} left before the campaign begins.` };
    if (endAt !== null && at >= endAt)
      yield { kind: 'ended', ...place, sentence: `${id} left after the end of the campaign.` };
    yield* days.count(at, step?.person ?? null);
  }
}

/** Messages and new people a day. */
class CountedDays {
  readonly #zone: Zone;
  readonly #begun = new Set<number>();
  readonly #counts = { dailyLimit: new Map<string, number>(), maxNewPerDay: new Map<string, number>() };

  constructor(private readonly bounds: OwnBounds) {
    this.#zone = new Zone(bounds.timezone);
  }

  count(at: number, person: number | null): readonly SimulatedViolation[] {
    const day = labelOf(this.#zone.dayOf(at));
    const isNew = person === null || !this.#begun.has(person);
    if (person !== null) this.#begun.add(person);
    return [...this.#add('dailyLimit', day), ...(isNew ? this.#add('maxNewPerDay', day) : [])];
  }

  #add(limit: Limit, day: string): readonly SimulatedViolation[] {
    const count = (this.#counts[limit].get(day) ?? 0) + 1;
    this.#counts[limit].set(day, count);
    const most = this.bounds.terms[limit];
    if (most === null || count <= most) return [];
    const sentence = `${count} ${WORDS[limit]} of at most ${most} of the campaign.`;
    return [{ kind: KINDS[limit], accountId: null, when: day, sentence }];
  }
}
