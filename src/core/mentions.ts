/** Of an address without quotes: what may stand on either side of it and still be part of a longer one. */
const IN_LOCAL_PART = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]/;
const IN_DOMAIN = /[A-Za-z0-9-]/;

/**
 * Puts something else wherever a text mentions an address (given in lower case), however it is spelled there, and
 * nowhere else: `ada@example.org` is not in `lada@example.org`, nor in `ada@example.org.uk`. Linear in the text.
 */
export function replaceMentions(text: string, address: string, by: string): string {
  const local = address.indexOf('@');
  let [result, from] = ['', 0];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = at - local;
    const end = start + address.length;
    if (start < from || text.slice(start, end).toLowerCase() !== address) continue;
    if (!standsAlone(text, start, end)) continue;
    result += text.slice(from, start) + by;
    from = end;
  }
  return result + text.slice(from);
}

export const mentions = (text: string, address: string): boolean =>
  replaceMentions(text, address, '') !== text;

/** A quote or an apostrophe before it is more likely a quotation mark than part of the address. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' ';
  if (IN_LOCAL_PART.test(before) && !`'\`=/:`.includes(before)) return false;
  const [after = ' ', next = ' '] = [text[end], text[end + 1]];
  return !(IN_DOMAIN.test(after) || (after === '.' && IN_DOMAIN.test(next)));
}
