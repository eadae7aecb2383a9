import type { CaughtMail } from '../../api/types';
import { counted } from '../../parts/number-words';

export interface Check {
  readonly passed: boolean;
  readonly words: string;
}

/** What receivers look for, and people forget. */
export function checksOf({ text, html, headers, remoteImages }: CaughtMail): readonly Check[] {
  const has = (name: string) =>
    headers.some((header) => header.name.toLowerCase() === name && header.value.trim() !== '');
  const missing = ['Message-ID', 'Date'].filter((name) => !has(name.toLowerCase()));
  const hasText = text !== undefined && text.trim() !== '';
  return [
    {
      passed: hasText,
      words: hasText
        ? 'Text part present'
        : html === undefined
          ? 'No text and no HTML'
          : 'No text part beside the HTML',
    },
    {
      passed: missing.length === 0,
      words: missing.length === 0 ? 'Message-ID and Date present' : `${missing.join(' and ')} missing`,
    },
    {
      passed: remoteImages === 0,
      words: remoteImages === 0 ? 'No remote images' : `${counted(remoteImages, 'remote image')} blocked`,
    },
  ];
}
