export interface FooterFacts {
  readonly unsubscribeUrl: string;
  /** Empty: none is known. */
  readonly postalAddress: string;
}

/** What was written, before anything was put into it. */
interface Written {
  readonly body: string;
  readonly bodyText: string | null;
}

interface Parts {
  readonly html?: string;
  readonly text?: string;
}

/** Every mail says how it is ended and who sent it: where a template has not said it, it is added at the end. */
export function withFooter({ html, text }: Parts, { body, bodyText }: Written, facts: FooterFacts): Parts {
  return {
    ...(html !== undefined && { html: inHtml(html, missing(html, body, facts)) }),
    ...(text !== undefined && { text: inText(text, missing(text, bodyText ?? body, facts)) }),
  };
}

interface Missing {
  readonly url: string | undefined;
  readonly address: string | undefined;
}

/** The link is looked for in what was made, because a condition may have left it out; an address has many ways to be written. */
const missing = (
  made: string,
  template: string,
  { unsubscribeUrl, postalAddress }: FooterFacts,
): Missing => ({
  url: made.includes(unsubscribeUrl) ? undefined : unsubscribeUrl,
  address:
    postalAddress === '' || /\bpostalAddress\b/.test(template) || made.includes(postalAddress)
      ? undefined
      : postalAddress,
});

const STYLE = 'margin-top:24px;font-size:12px;line-height:1.5;color:#666666;white-space:pre-line';

function inHtml(html: string, { url, address }: Missing): string {
  const lines = [
    url === undefined ? undefined : `<a href="${escaped(url)}" style="color:#666666">Unsubscribe</a>`,
    address === undefined ? undefined : escaped(address),
  ].filter((line) => line !== undefined);
  if (lines.length === 0) return html;
  const footer = `<p style="${STYLE}">${lines.join('\n')}</p>\n`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end === -1 ? `${html}\n${footer}` : html.slice(0, end) + footer + html.slice(end);
}

function inText(text: string, { url, address }: Missing): string {
  const lines = [url === undefined ? undefined : `Unsubscribe: ${url}`, address].filter(
    (line) => line !== undefined,
  );
  // The line that mail programs know as the end of what was written.
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n-- \n${lines.join('\n')}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
