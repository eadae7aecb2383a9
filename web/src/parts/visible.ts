/**
 * Controls, what turns the direction of the text around it, and what has no width: unseen they could make one thing
 * look like another. The joiners U+200C and U+200D stay: Persian and many emoji are written with them.
 */
const UNSEEN =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

/** Text of strangers with its unseen characters as visible marks. */
export const visible = (text: string, options: { readonly lines?: boolean } = {}): string =>
  text.replaceAll(UNSEEN, (character) => {
    if (options.lines === true && (character === '\n' || character === '\t')) return character;
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `‹${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
