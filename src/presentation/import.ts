import { CONTACT_FIELDS, proposedMapping } from '../core/contact-columns.js';
import { formatId } from '../core/ids.js';
import { IMPORT_STATES, REJECT_CODES } from '../core/import.js';
import { etaOf, importPlate } from '../core/import-words.js';
import type { FirstLook } from '../contacts/first-look.js';
import type { Reject } from '../store/scripts/import-steps.js';
import type { Import as KnownImport } from '../store/scripts/imports.js';
import { Type, type Static } from '../vendor/typebox.js';
import { presentInstant } from './instant.js';
import { instant, list, nullable, text, whole, word } from './shape.js';

const Mapped = Type.Unsafe<Readonly<Record<string, string | null>>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
  examples: [{ 'E-Mail': 'email', company: 'attributes.company', notes: null }],
});

export const Import = Type.Object(
  {
    id: text('imp_1'),
    state: word(IMPORT_STATES),
    fileName: nullable(Type.String(), undefined, 'guests-2026-11.csv'),
    bytes: whole(1_900_000),
    encoding: text('utf-8'),
    separator: text(';'),
    columns: list(
      Type.Object({
        name: text('E-Mail'),
        samples: list(text('anna.lind@fjordhus.example')),
        filled: whole(12_200, 'In how many lines something stands there.'),
        proposed: nullable(Type.String(), 'What it would become.', 'email'),
      }),
    ),
    mapping: nullable(Mapped, 'What each column becomes; null: not chosen yet.'),
    lines: whole(12_200, 'Lines of the file, without the first one and blank ones.'),
    done: whole(8_412),
    imported: whole(7_894, 'Contacts that are new.'),
    updated: whole(504, 'Lines that named somebody who was known.'),
    rejected: whole(14, 'Lines that were left out.'),
    suppressed: whole(5, 'Lines with an address that is not written to: kept, and still not written to.'),
    reasons: list(Type.Object({ reason: word(REJECT_CODES), count: whole(7) }), 'Why lines were left out.'),
    etaSeconds: nullable(Type.Integer(), 'How long the rest may take; null: not known.', 3),
    plate: Type.Object({
      level: word(['fine', 'look', 'act']),
      sentence: text('8,412 of 12,200 lines are in.'),
      evidence: text('guests-2026-11.csv, 1.9 MB.'),
    }),
    campaign: nullable(
      Type.Object({ id: text('cmp_3k'), name: text('Autumn hosts') }),
      'Whoever is in the file is put at the end of its line as he comes in.',
    ),
    enrolled: whole(0, 'People who were put into it; who was in it already does not count.'),
    notEnrolled: whole(0, 'People whom it did not take, because it was stopped meanwhile.'),
    createdAt: instant(),
    startedAt: nullable(instant()),
    finishedAt: nullable(instant()),
  },
  { title: 'Import' },
);
export type Import = Static<typeof Import>;

export const presentImport = (known: KnownImport, now: number): Import => {
  const { mapping, columns, reasons, campaign } = known;
  const proposed = proposedMapping(columns.map(({ name }) => name));
  const fields: readonly (string | null)[] = CONTACT_FIELDS;
  const recognised = Object.values(proposed).filter((each) => fields.includes(each)).length;
  const etaSeconds = etaOf(known, now);
  return {
    id: formatId('import', known.id),
    state: known.state,
    fileName: known.fileName,
    bytes: known.bytes,
    encoding: known.encoding,
    separator: known.separator,
    columns: columns.map((column) => ({ ...column, proposed: proposed[column.name] ?? null })),
    mapping,
    lines: known.lines,
    done: known.done,
    imported: known.imported,
    updated: known.updated,
    rejected: known.rejected,
    suppressed: known.suppressed,
    reasons: presentReasons(reasons),
    etaSeconds,
    campaign: campaign && { id: formatId('campaign', campaign.id), name: campaign.name },
    enrolled: known.enrolled,
    notEnrolled: known.notEnrolled,
    plate: importPlate({ ...known, etaSeconds, columns: columns.length, recognised }),
    createdAt: presentInstant(known.createdAt) ?? '',
    startedAt: presentInstant(known.startedAt),
    finishedAt: presentInstant(known.finishedAt),
  };
};

const presentReasons = (reasons: KnownImport['reasons']) =>
  REJECT_CODES.filter((reason) => reasons[reason]).map((reason) => ({
    reason,
    count: reasons[reason] ?? 0,
  }));

export const ImportLook = Type.Object(
  {
    lines: whole(12_200, 'How many lines were looked at: the first of the file.'),
    known: whole(731, 'Lines that name somebody who is known, and would be updated.'),
    suppressed: whole(8, 'Lines with an address that is not written to: it would stay so.'),
    rejected: whole(3, 'Lines that would be left out.'),
    reasons: list(Type.Object({ reason: word(REJECT_CODES), count: whole(3) }), 'Why they would.'),
  },
  { title: 'ImportLook' },
);

export const presentLook = ({ reasons, ...look }: FirstLook): Static<typeof ImportLook> => ({
  ...look,
  reasons: presentReasons(reasons),
});

export const RejectedLine = Type.Object(
  {
    line: whole(3_107),
    code: word(REJECT_CODES),
    reason: text('email has no @; give one address such as ada@example.org'),
    cells: list(text('anna.example.org'), 'What stands there.'),
  },
  { title: 'RejectedLine' },
);
export type RejectedLine = Static<typeof RejectedLine>;

export const presentReject = ({ line, code, reason, cells }: Reject): RejectedLine => ({
  line,
  code,
  reason,
  cells,
});
