const HIDDEN = '[hidden]';
/** Shorter words are words: `send` may well be part of a key. */
const SHORTEST_PIECE = 8;

/**
 * Some servers repeat what they refuse, or a piece of it, or as it was written in a form. What they say is shown to
 * people; a key must not be.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((secret) => secret !== '').flatMap(spellingsOf);
  const whole = spellings.reduce((said, spelling) => said.replaceAll(spelling, HIDDEN), text);
  return whole.replace(/[^\s"'`<>()[\],;:=]+/g, (word) =>
    word.length >= SHORTEST_PIECE && spellings.some((spelling) => spelling.includes(word)) ? HIDDEN : word,
  );
}

const spellingsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
];
