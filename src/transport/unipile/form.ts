import { hash } from 'node:crypto';

export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Form {
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly files?: readonly FormFile[];
}

export interface WrittenForm {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * A form as RFC 7578 has it. `seed` makes the boundary, so that the same form is the same bytes on every try; and
 * types keep their case, which the platform's own forms do not: `method=REQUEST` is written so everywhere else.
 */
export function writeForm({ fields, files = [] }: Form, seed: string): WrittenForm {
  const parts = [
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [textPart(name, value)],
    ),
    ...files.map(filePart),
  ];
  const boundary = boundaryFor(parts, seed);
  const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Whoever could guess it must not be able to end a part with it. */
function boundaryFor(parts: readonly Buffer[], seed: string): string {
  let boundary = `form-${hash('sha256', seed, 'hex').slice(0, 32)}`;
  while (parts.some((part) => part.includes(boundary))) boundary += 'x';
  return boundary;
}

const textPart = (field: string, value: string): Buffer =>
  Buffer.from(`Content-Disposition: form-data; name="${escaped(field)}"\r\n\r\n${value}`);

const filePart = ({ field, name, type, bytes }: FormFile): Buffer =>
  Buffer.concat([
    Buffer.from(
      `Content-Disposition: form-data; name="${escaped(field)}"; filename="${escaped(name)}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    ),
    bytes,
  ]);

/** As browsers do it. */
const escaped = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
