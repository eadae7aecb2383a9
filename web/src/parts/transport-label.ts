const LABELS: Readonly<Record<string, string>> = {
  smtp: 'SMTP',
  gmail: 'Gmail',
  unipile: 'Unipile',
  http: 'HTTP',
  file: 'Files',
  // The default account, seen from a process that does not send itself.
  process: 'as its worker says',
};

export const transportLabel = (kind: string): string => LABELS[kind] ?? kind;
