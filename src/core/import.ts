/** `uploading`: the file is still coming; `mapping`: somebody has to say what its columns become. */
export const IMPORT_STATES = ['uploading', 'mapping', 'running', 'done', 'stopped'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Why a line was left out, in one word; the sentence beside it says more. */
export const REJECT_CODES = [
  'broken',
  'address',
  'unreachable',
  'time_zone',
  'name',
  'linkedin_id',
  'attribute',
  'taken',
] as const;
export type RejectCode = (typeof REJECT_CODES)[number];
