/** "51,084". */
export const numberWords = (n: number): string => n.toLocaleString('en-GB');

/** "1 letter", "51,084 letters". */
export const counted = (n: number, word: string): string => `${numberWords(n)} ${word}${n === 1 ? '' : 's'}`;
