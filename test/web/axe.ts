import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What another theme can change; the rest of the markup is the same in both. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly where: readonly string[];
}

/**
 * Runs in the page, once: what axe needs for `audit`. The contrast of texts takes three quarters of its time, and most
 * texts are painted like others: so each paint is judged once on a page, by one text that nothing lies over, or else by all.
 * A paint is the classes and the letters of what says something, and all colours that it and what is around it bring
 * along; whatever is lifted out of the flow, and so may lie over anything, counts with its classes. Judged is what axe
 * could reckon, not what it found hidden, covered or disabled. A mail that is looked at is none of our markup.
 */
const AUDIT = `(() => {
  const MARK = 'data-to-judge';
  const judged = new Set();
  axe.configure({ noHtml: true, rules: [{ id: 'color-contrast', selector: '[' + MARK + ']' }] });

  const says = (element) =>
    element.matches('input:not([type=checkbox], [type=radio], [type=range]), select, textarea') ||
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue.trim() !== '');
  // What is there for readers of screens alone is a single point large.
  const isSeen = ({ offsetWidth, offsetHeight }) => offsetWidth === undefined || (offsetWidth > 1 && offsetHeight > 1);
  function isOnTop(element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }

  function paintOf(element, known) {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return [element.className, color, fontSize, fontWeight, textShadow, behind(element, known)].join();
  }
  function behind(element, known) {
    if (element === null) return '';
    if (!known.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element);
      const lifted = position === 'static' ? '' : element.className;
      const own = [backgroundColor, backgroundImage, opacity, filter, position, lifted].join();
      const around = behind(element.parentElement, known);
      known.set(element, own === 'rgba(0, 0, 0, 0),none,1,none,static,' ? around : around + '/' + own);
    }
    return known.get(element);
  }
  function toJudge() {
    const paints = new Map();
    const known = new Map();
    for (const element of document.querySelectorAll('body, body *')) {
      if (!says(element) || !isSeen(element)) continue;
      const paint = paintOf(element, known);
      if (!judged.has(paint)) paints.set(paint, [...(paints.get(paint) ?? []), element]);
    }
    return new Map([...paints].flatMap(([paint, elements]) => {
      const one = elements.find(isOnTop);
      return (one ? [one] : elements).map((element) => [element, paint]);
    }));
  }

  globalThis.audit = async (options) => {
    const texts = toJudge();
    for (const element of texts.keys()) element.setAttribute(MARK, '');
    const results = await axe.run(
      { exclude: ['iframe[sandbox]'] },
      { ...options, iframes: false, reporter: (raw, _options, done) => done(raw) },
    );
    for (const element of texts.keys()) element.removeAttribute(MARK);
    for (const { any, node } of results.find(({ id }) => id === 'color-contrast')?.passes ?? [])
      if (any.some(({ data }) => data?.fgColor && data.bgColor)) judged.add(texts.get(node.element));
    const said = ({ node, any, all, none }) =>
      [node.element.outerHTML.slice(0, 200), ...[...any, ...all, ...none].map(({ message }) => message)].join('; ');
    return results
      .filter(({ violations }) => violations.length > 0)
      .map(({ id, help, violations }) => ({ id, help, where: violations.map(said) }));
  };
})()`;

/** WCAG 2.2 A and AA, and what axe holds to be good practice; or only these rules. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<readonly Violation[]> {
  if (!(await page.evaluate<boolean>('"audit" in globalThis'))) await page.evaluate(`${axe.source};${AUDIT}`);
  const options: axe.RunOptions = rules ? { runOnly: { type: 'rule', values: [...rules] } } : {};
  return page.evaluate<Violation[]>(`audit(${JSON.stringify(options)})`);
}

/**
 * Of the page as it stands, in the light, and then of what the dark makes of it. Painted by hand: that pages follow the
 * system is tested elsewhere, and they hear of it only with the next frame.
 */
export async function axeViolationsInBothThemes(page: Page): Promise<readonly Violation[]> {
  await paint(page, 'light');
  const inTheLight = await axeViolations(page);
  await paint(page, 'dark');
  return [...inTheLight, ...(await axeViolations(page, OF_COLOURS))];
}

const paint = (page: Page, theme: 'light' | 'dark'): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
