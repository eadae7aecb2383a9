/** What a caller's own client answers for a bigint is a text, or a BigInt: only ours parses them. */
export const asNumber = (value: unknown): number => Number(value);
