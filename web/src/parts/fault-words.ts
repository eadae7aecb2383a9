/** What the server says of a fault begins small, to stand behind something; alone it is a sentence. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** Whatever was thrown, for people. */
export const faultWords = (error: unknown): string =>
  sentence(error instanceof Error ? error.message : String(error));
