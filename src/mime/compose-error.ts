/**
 * A mail that must not leave as it stands. The door refuses such a mail with the same rules, so this is met only
 * by content that came another way; trying again with the same content is of no use.
 */
export class ComposeError extends Error {
  override readonly name = 'ComposeError';
  readonly code = 'ECOMPOSE';

  constructor(
    /** As a path: `attachments.0.filename`. */
    readonly field: string,
    why: string,
  ) {
    super(`${field} ${why}`);
  }
}
