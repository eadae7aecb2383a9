/**
 * The contracts as functions. What stands here says only of which kind they are: `scripts/compile-contracts.mjs` writes
 * the compiled ones in this file's place, in the built product, out of `contracts/*.schema.json`.
 */
export interface Validator {
  (value: unknown): boolean;
  /** Of the last call that answered false: the first thing that is wrong. */
  readonly errors?: readonly ValidationError[] | null;
}

export interface ValidationError {
  /** A JSON pointer. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Which fields the objects of a contract may have; those of an object that takes any are not named. */
export interface Closed {
  readonly fields?: readonly string[];
  readonly below?: Readonly<Record<string, Closed>>;
}

const notBuilt: Validator = () => {
  throw new Error('the contracts are not compiled: npm run build');
};

interface Contract {
  readonly validate: Validator;
  readonly closed: Closed;
}

export const mailJob: Contract = { validate: notBuilt, closed: {} };
export const notificationJob: Contract = { validate: notBuilt, closed: {} };
