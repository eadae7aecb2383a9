/** A template that does not say how its letters run, in a locale where they run the other way, is told. */
export function withDirection(html: string, locale: string, direction: 'ltr' | 'rtl'): string {
  if (direction === 'ltr' || SAID.test(html)) return html;
  const said = `dir="rtl" lang="${locale}"`;
  const root = /<(?:html|body)\b/i.exec(html);
  if (!root) return `<div ${said}>${html}</div>`;
  const at = root.index + root[0].length;
  return `${html.slice(0, at)} ${said}${html.slice(at)}`;
}

const SAID = /<[a-z][^<>]{0,500}\bdir\s?=/i;
