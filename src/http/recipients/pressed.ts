/** What a press says: of the page's own buttons, or of a mail program that never shows the page (RFC 8058). */
export type Pressed = 'one-click' | 'campaigns' | 'everything' | 'undo';

const FIELD = /name="([\w-]{1,40})"\r?\n\r?\n([\w-]{0,40})\r?\n/g;

/** Of a form in either of its two encodings. */
export function fieldsIn(body: unknown, contentType = ''): ReadonlyMap<string, string> {
  const text = typeof body === 'string' ? body : '';
  return contentType.startsWith('multipart/')
    ? new Map(Array.from(text.matchAll(FIELD), ([, name = '', value = '']) => [name, value]))
    : new Map(new URLSearchParams(text));
}

export const isOneClick = (fields: ReadonlyMap<string, string>): boolean =>
  fields.get('List-Unsubscribe') === 'One-Click';

/** Whatever else is posted means the one thing that this address is for. */
export function pressedIn(fields: ReadonlyMap<string, string>): Pressed {
  if (isOneClick(fields)) return 'one-click';
  if (fields.has('undo')) return 'undo';
  return fields.get('stop') === 'everything' ? 'everything' : 'campaigns';
}
