/** The part of pino that is used. A library caller may pass his own; without one nothing is logged. */
export interface Logger {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

const nothing = () => undefined;
export const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
