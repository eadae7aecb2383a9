/** Plain names and values, as in the API: no JSON in an address. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** With its question mark, or nothing. */
export function searchText(search: object): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',')}`;
}
