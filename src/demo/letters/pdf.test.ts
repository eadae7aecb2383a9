import { expect, test } from 'vitest';
import { pdf } from './pdf.js';

test('a PDF has its objects where its table says, and its table where its end says', () => {
  const file = pdf(['Invoice (2026) \\ 7', 'é']).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1]);
  const [, count, rows] = /^xref\n0 (\d+)\n([\s\S]*?)trailer/.exec(file.slice(start))!;
  const offsets = rows!
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => Number(row.slice(0, 10)));
  expect(offsets).toHaveLength(Number(count) - 1);
  for (const [index, offset] of offsets.entries())
    expect(file.slice(offset)).toMatch(new RegExp(`^${String(index + 1)} 0 obj\n`));
  const [, length, stream] = /<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file)!;
  expect(stream).toHaveLength(Number(length));
  expect(stream).toContain('(Invoice \\(2026\\) \\\\ 7) Tj');
  expect(stream).toContain('(?) Tj');
});
