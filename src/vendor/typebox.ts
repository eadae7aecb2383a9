/** All of it that is used here; one file once it is built, see docs/decisions/0008. */
export { default as Type, type Static, type TSchema } from 'typebox';
export { Compile } from 'typebox/compile';
export type { TLocalizedValidationError } from 'typebox/error';
export { default as Value } from 'typebox/value';
