import type { Mail } from '../core/mail.js';
import type { Lane } from '../core/message.js';
import type { KeptBack } from '../core/outcome.js';
import type { SendError } from '../core/report.js';
import { readContent } from '../store/scripts/messages.js';
import type { ClaimedMessage, Store } from '../store/store.js';
import { ByteBudget } from './byte-budget.js';
import type { Sender } from './senders.js';

/**
 * What a message says, or why it can't be said: a fault ends the try like an error of its transport; what is kept back
 * makes no try.
 */
export type Content =
  /** `closesAt`: the gate lets it pass until then. */
  | { readonly mail: Mail; readonly closesAt?: number | undefined; readonly kept?: KeptContent | undefined }
  | { readonly fault: SendError }
  | { readonly kept: KeptContent };

/** `until`: when it could leave, by the database's clock. */
export type KeptContent = Pick<KeptBack, 'why' | 'reason'> & { readonly until?: number | undefined };

/**
 * Makes the contents of messages that are stored without one, when they are about to be sent. It is told of a claim's
 * messages together, so that what they share is read and made once. A front door that stores such messages brings one
 * for its lane.
 */
export interface ContentSource {
  /**
   * Called for every claim that has some; whatever it makes ready is let go of with the claim. Also for
   * notifications whose content is stored: whether they may leave now is for their door to say.
   */
  prepare(messages: readonly ClaimedMessage[]): PreparedContents;
}

/** The contents of one claim's messages, as each of them is about to be sent; some never are. */
export interface PreparedContents {
  /** The same for every try until one of them may have left; from then on it is stored. Rejects if it must be asked again. */
  contentOf(message: ClaimedMessage): Promise<Content>;
}

export type ContentSources = Readonly<Partial<Record<Lane, ContentSource>>>;

/** A content and the room it takes, to be given back. */
export type BorrowedContent = Content & {
  /** It was made for this try, and is stored nowhere. */
  readonly made: boolean;
  readonly done: () => void;
};

/** How a stored job begins that is to be made a mail of. */
export const JOB_BEGINS = '{"job":';

const BUDGET_BYTES = 64 * 1024 * 1024;
const NOTHING_BORROWED = () => undefined;

/** It came with the claim, it is large and fetched when its turn comes, or it is made now. */
export class Contents {
  readonly #large = new ByteBudget(BUDGET_BYTES);

  constructor(
    private readonly store: Store,
    private readonly sources: ContentSources = {},
  ) {}

  /** Undefined: all of them are stored, as nearly always. */
  prepare(messages: readonly ClaimedMessage[]): PreparedContents | undefined {
    const unstored = messages.filter(isAsked);
    if (unstored.length === 0) return undefined;
    const byLane = new Map<Lane, PreparedContents>();
    for (const lane of new Set(unstored.map((message) => message.lane))) {
      const own = unstored.filter((message) => message.lane === lane);
      byLane.set(lane, preparedBy(this.sources[lane], own));
    }
    return { contentOf: (message) => (byLane.get(message.lane) ?? NO_SOURCE).contentOf(message) };
  }

  /** At once if it came with the claim. `prepared`: with the messages of its claim, this one among them. */
  of(
    message: ClaimedMessage,
    sender: Sender,
    prepared: PreparedContents | undefined,
  ): BorrowedContent | Promise<BorrowedContent> {
    const { mail } = message;
    if (prepared && isAsked(message)) return make(message, prepared);
    if (mail !== null) {
      // The text is let go as soon as it is read: with a thousand in flight it is what fills the memory.
      message.mail = null;
      return stored(mail, NOTHING_BORROWED);
    }
    return this.#fetch(message, sender);
  }

  async #fetch(message: ClaimedMessage, sender: Sender): Promise<BorrowedContent> {
    const done = await this.#large.borrow(message.bytes, sender);
    try {
      const text = await this.store.read(readContent(this.store, message.id));
      return stored(text, done);
    } catch (error) {
      done();
      throw error;
    }
  }
}

const isUnstored = ({ mail, bytes }: ClaimedMessage): boolean => mail === null && bytes === 0;

/** Nothing is stored that could be sent: it is made, each time, until it may have left. */
export const isMade = (message: ClaimedMessage): boolean =>
  isUnstored(message) || (message.mail?.startsWith(JOB_BEGINS) ?? false);

/** Its front door is asked: what it says, or, of a notification, whether it may leave now. */
const isAsked = (message: ClaimedMessage): boolean => message.subscriptionId !== null || isMade(message);

/** A source that fails is asked again, for these messages alone: what else came with the claim goes its way. */
function preparedBy(
  source: ContentSource | undefined,
  messages: readonly ClaimedMessage[],
): PreparedContents {
  try {
    return source?.prepare(messages) ?? NO_SOURCE;
  } catch (error) {
    return {
      contentOf: () => {
        throw error;
      },
    };
  }
}

async function make(message: ClaimedMessage, prepared: PreparedContents): Promise<BorrowedContent> {
  return { ...(await prepared.contentOf(message)), made: isMade(message), done: NOTHING_BORROWED };
}

/** Damaged is as good as missing: no further try would read it better. */
function stored(text: string | undefined, done: () => void): BorrowedContent {
  try {
    if (text !== undefined) return { mail: JSON.parse(text) as Mail, made: false, done };
  } catch {
    // As below.
  }
  return { ...MISSING, made: false, done };
}

const MISSING: Content = {
  fault: {
    class: 'permanent',
    scope: 'message',
    code: 'content_missing',
    message: 'the content of this mail is missing in the database, or damaged',
  },
};

const NO_SOURCE: PreparedContents = { contentOf: () => Promise.resolve(MISSING) };
