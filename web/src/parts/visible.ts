/** Controls, and what turns the direction of the text around it: unseen they could make one thing look like another. */
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Text of strangers with its unseen characters as visible marks. */
export const visible = (text: string, options: { readonly lines?: boolean } = {}): string =>
  text.replaceAll(UNSEEN, (character) => {
    if (options.lines === true && (character === '\n' || character === '\t')) return character;
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `‹${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
