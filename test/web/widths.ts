import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** How far the page is wider than its window, and what in it is cut off where nobody could scroll to. */
const TOO_WIDE = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
  const hidden = (element) => getComputedStyle(element).clipPath !== 'none' || element.clientWidth <= 1;
  const cut = [...document.querySelectorAll('body *')].filter((element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    return (overflowX === 'hidden' || overflowX === 'clip' || element.matches('dialog')) && textOverflow !== 'ellipsis' && !hidden(element)
      && element.scrollWidth > element.clientWidth + 1;
  });
  const by = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return [...(by > 0 ? ['the page by ' + by + ' px'] : []),
    ...cut.map((element) => element.tagName + ' ' + element.className + ' by ' + (element.scrollWidth - element.clientWidth))];
})`;

export const tooWide = (page: Page): Promise<string[]> => page.evaluate(TOO_WIDE);

/** Until a page has asked for all it shows; only the stream never ends. */
export function settling(page: Page): () => Promise<void> {
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/stream')) asked.add(request);
  });
  const ended = (request: Request) => void asked.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => asked.size, { interval: 20 }).toBe(0);
  };
}

/** A window of that size that is touched. */
export const phone = (width: number, height: number) => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
