/** The same, but for these. */
export function without<T extends object, K extends keyof T>(fields: T, ...names: readonly K[]): Omit<T, K> {
  const rest = Object.entries(fields).filter(([name]) => !names.some((each) => each === name));
  return Object.fromEntries(rest) as Omit<T, K>;
}
