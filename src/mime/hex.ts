const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
);

/** A byte as two digits, in the upper case that quoted-printable, Q words and RFC 2231 all ask for. */
export const hexOf = (byte: number): string => HEX[byte] ?? '';
