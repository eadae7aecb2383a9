const WORDS: Readonly<Record<string, string>> = {
  smtp: 'SMTP',
  gmail: 'Gmail',
  unipile: 'Unipile',
  http: 'HTTP',
  file: 'files',
  // The default account of a process that does not send itself.
  process: 'as its worker says',
};

export const transportWords = (kind: string): string => WORDS[kind] ?? kind;
