import type { Import } from '../../../api/types';

/** What a column becomes, as a form holds it. */
export interface ColumnDraft {
  readonly becomes: 'email' | 'name' | 'linkedinId' | 'timezone' | 'attribute' | 'nothing';
  /** Of the attribute. */
  readonly name: string;
}

export const BECOMES: readonly { readonly value: ColumnDraft['becomes']; readonly label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'name', label: 'Name' },
  { value: 'linkedinId', label: 'LinkedIn id' },
  { value: 'timezone', label: 'Time zone' },
  { value: 'attribute', label: 'an attribute' },
  { value: 'nothing', label: 'stays in the file' },
];

const ATTRIBUTE = 'attributes.';

export function draftOf(column: string, becomes: string | null): ColumnDraft {
  if (becomes === null) return { becomes: 'nothing', name: column };
  if (becomes.startsWith(ATTRIBUTE)) return { becomes: 'attribute', name: becomes.slice(ATTRIBUTE.length) };
  return { becomes: becomes as ColumnDraft['becomes'], name: column };
}

export type Draft = Readonly<Record<string, ColumnDraft>>;

export const proposed = ({ columns }: Pick<Import, 'columns'>): Draft =>
  Object.fromEntries(columns.map((column) => [column.name, draftOf(column.name, column.proposed)]));

const targetOf = ({ becomes, name }: ColumnDraft): string | null => {
  if (becomes === 'nothing') return null;
  return becomes === 'attribute' ? `${ATTRIBUTE}${name.trim()}` : becomes;
};

/** What the API is told, of every column. */
export const mappingOf = (draft: Draft): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(draft).map(([column, each]) => [column, targetOf(each)]));

/** What is wrong with one column, beside the others. */
export function faultOf(draft: Draft, column: string): string | undefined {
  const own = draft[column];
  if (!own) return undefined;
  if (own.becomes === 'attribute' && own.name.trim() === '') return 'Give the attribute a name.';
  const target = targetOf(own);
  const other = Object.entries(draft).find(
    ([name, each]) => name !== column && target !== null && targetOf(each) === target,
  );
  return other && `${other[0]} becomes the same.`;
}

/** Why it can't begin; undefined: it can. */
export function lacks(draft: Draft): string | undefined {
  const columns = Object.keys(draft);
  const wrong = columns.find((column) => faultOf(draft, column) !== undefined);
  if (wrong !== undefined) return `Choose what ${wrong} becomes.`;
  const reaches = Object.values(draft).some(({ becomes }) => becomes === 'email' || becomes === 'linkedinId');
  return reaches ? undefined : 'One column must become Email or LinkedIn id.';
}
