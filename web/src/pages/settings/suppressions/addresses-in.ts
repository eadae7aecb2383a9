/** So many are taken at once, as files of other programs have them. */
export const MOST_ADDRESSES = 50_000;

/** What is on a line: the first cell that looks like an address, else all of it. A head and empty lines are none. */
export function addressesIn(text: string): readonly { readonly line: number; readonly email: string }[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, n) => {
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const email = cells.find((cell) => cell.includes('@')) ?? line.trim();
    const isHead = n === 0 && !email.includes('@') && /e-?mail|address/i.test(line);
    return email === '' || isHead ? [] : [{ line: n + 1, email: email.slice(0, 320) }];
  });
}

/** In pieces that one call takes. */
export const piecesOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
