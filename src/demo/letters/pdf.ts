const LINE_POINTS = 18;
const TOP_POINTS = 760;

/** Parentheses and backslashes end or escape a text; what is not ASCII this font would not know. */
const shown = (text: string): string => `(${text.replace(/[^ -~]/g, '?').replace(/[\\()]/g, '\\$&')})`;

/** One page with lines of text, as small as a PDF can be. */
export function pdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `${shown(line)} Tj T*`).join('\n');
  const content = `BT /F1 12 Tf ${String(LINE_POINTS)} TL 72 ${String(TOP_POINTS)} Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${file}startxref\n${String(file.lastIndexOf('xref\n0 '))}\n%%EOF\n`, 'latin1');
}
