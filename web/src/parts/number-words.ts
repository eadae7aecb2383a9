/** "51,084". Of whole numbers, as all of ours are: the browser's own way takes a list of locales first. */
export const numberWords = (n: number): string => String(n).replaceAll(/\B(?=(?:\d{3}){1,6}$)/g, ',');

/** "1 letter", "51,084 letters". */
export const counted = (n: number, word: string): string => `${numberWords(n)} ${word}${n === 1 ? '' : 's'}`;
