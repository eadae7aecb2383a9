import type { HowToRead } from '../../../api/contacts';
import { Field } from '../../../parts/form/field';
import { Choice } from '../../../parts/form/inputs';

const SEPARATORS = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
];

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 (Western)' },
  { value: 'utf-16le', label: 'UTF-16, little end first' },
  { value: 'utf-16be', label: 'UTF-16, big end first' },
];

const FOUND = { value: '', label: 'As found in the file' };

export const separatorWords = (separator: string): string =>
  SEPARATORS.find(({ value }) => value === separator)?.label ?? separator;
export const encodingWords = (encoding: string): string =>
  ENCODINGS.find(({ value }) => value === encoding)?.label ?? encoding;

interface Props {
  readonly how: HowToRead;
  readonly onChange: (how: HowToRead) => void;
  readonly disabled?: boolean;
  /** Of a file that could not be read it is not known how it is. */
  readonly unknown?: boolean;
  readonly hint?: string;
}

/** What separates its cells, and how its characters are written. */
export const Reading = ({ how, onChange, disabled = false, unknown = false, hint }: Props) => (
  <>
    <Field label="Separator" {...(hint !== undefined && { hint })}>
      <Choice
        value={how.separator ?? ''}
        disabled={disabled}
        options={[...(unknown ? [FOUND] : []), ...SEPARATORS]}
        onChange={(separator) => onChange({ ...how, separator: separator || undefined })}
      />
    </Field>
    <Field label="Encoding" {...(hint !== undefined && { hint })}>
      <Choice
        value={how.encoding ?? ''}
        disabled={disabled}
        options={[...(unknown ? [FOUND] : []), ...ENCODINGS]}
        onChange={(encoding) => onChange({ ...how, encoding: encoding || undefined })}
      />
    </Field>
  </>
);
