import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What people read who use it. Decisions tell of what was, and stay as they were. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

export interface Block {
  readonly page: string;
  /** Of its first line in the page. */
  readonly line: number;
  readonly code: string;
}

/** Examples in one language, in their order. */
export const blocksOf = (page: string, language: string): readonly Block[] => {
  const text = textOf(page);
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ({ index, 1: code = '' }) => ({ page, line: text.slice(0, index).split('\n').length + 1, code }),
  );
};

export function firstBlock(page: string, language: string): string {
  const [block] = blocksOf(page, language);
  if (!block) throw new Error(`${page} has no example in ${language}`);
  return block.code;
}
