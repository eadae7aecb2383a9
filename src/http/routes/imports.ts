import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../access/gatekeeper.js';
import { ENCODINGS } from '../../contacts/decode.js';
import { SEPARATORS } from '../../core/csv.js';
import { invalidInput, PillarboxError } from '../../core/errors.js';
import { REJECT_CODES } from '../../core/import.js';
import { ImportedFile } from '../../presentation/contact.js';
import {
  Import,
  ImportLook,
  presentImport,
  presentLook,
  presentReject,
  RejectedLine,
} from '../../presentation/import.js';
import { page } from '../../presentation/shape.js';
import { Type } from '../../vendor/typebox.js';
import { accepted } from '../answers.js';
import { pageQuery } from '../paging.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const closed = { additionalProperties: false } as const;
const LARGEST_FILE_BYTES = 1024 * 1024 * 1024;
const EXAMPLE = 'email,name,company\r\nanna.lind@fjordhus.example,Anna Lind,Fjordhus\r\n';

const WithId = Type.Object({ id: Type.String() });
const file = {
  fileName: Type.Optional(Type.String({ maxLength: 255 })),
  separator: Type.Optional(
    Type.Enum([...SEPARATORS], { description: 'Between cells; else what the first line has most of.' }),
  ),
  encoding: Type.Optional(
    Type.Enum([...ENCODINGS], { description: 'Else UTF-8, or UTF-16 by its byte order mark.' }),
  ),
};
const PageQuery = Type.Object(pageQuery, closed);
const RejectFilter = Type.Object(
  { ...pageQuery, reason: Type.Optional(Type.Enum([...REJECT_CODES])) },
  closed,
);
const mapping = Type.Optional(
  Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 120 }), Type.Null()]), {
    maxProperties: 200,
  }),
);
const Columns = Type.Object({ mapping }, closed);
const campaignId = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'Put whoever is in the file into this campaign; who may not operate it may not say so.',
  }),
);
const Start = Type.Object({ mapping, campaignId }, closed);
const ImportQuery = Type.Object({ ...file, campaignId }, closed);
const UploadQuery = Type.Object(
  {
    ...file,
    instead: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'An upload of the same file that was read in another way: it is thrown away. 409 once it has begun.',
      }),
    ),
  },
  closed,
);
const CHOSEN = { mapping: { 'E-Mail': 'email', full_name: 'name', Company: 'company', notes: null } };

export const importRoutes: readonly Route[] = [
  route(
    'send',
    {
      method: 'POST',
      url: '/api/contacts/import',
      operation: 'importContacts',
      summary:
        'Import a CSV file and wait for it. Columns email, name, linkedinId and timezone by name, all others become attributes',
      takes: 'text/csv',
      example: EXAMPLE,
      query: ImportQuery,
      answer: ImportedFile,
      errors: ['conflict', 'stopped'],
      bodyLimit: LARGEST_FILE_BYTES,
      action: 'contacts.import',
      details: false,
    },
    ({ request, query, principal, workspace }) => {
      mayEnrol(principal, query);
      return workspace.contacts.import(fileOf(request), query);
    },
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/contacts/imports',
      operation: 'uploadImport',
      summary: 'Upload a CSV file; nothing is imported before somebody says what its columns become',
      takes: 'text/csv',
      example: EXAMPLE,
      query: UploadQuery,
      answer: Import,
      accepted: Import,
      errors: ['conflict'],
      bodyLimit: LARGEST_FILE_BYTES,
      action: 'contacts.upload',
      details: false,
    },
    async ({ request, query, workspace, service: { box } }) => {
      const uploaded = await workspace.contacts.imports.upload(fileOf(request), query);
      return accepted(presentImport(uploaded, await box.now()));
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/imports',
      operation: 'listImports',
      summary: 'Imports, newest first',
      query: PageQuery,
      answer: page(Import),
    },
    async ({ query, workspace, service: { box } }) => {
      const { items, nextCursor } = await workspace.contacts.imports.list(query);
      const now = await box.now();
      return { items: items.map((each) => presentImport(each, now)), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/imports/:id',
      operation: 'getImport',
      summary: 'How an import stands',
      params: WithId,
      answer: Import,
    },
    async ({ params, workspace, service: { box } }) =>
      presentImport(await workspace.contacts.imports.get(params.id), await box.now()),
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/contacts/imports/:id/start',
      operation: 'startImport',
      summary:
        'Say what its columns become (email, name, linkedinId, timezone, the name of an attribute, or null: nothing), and begin',
      params: WithId,
      body: Start,
      example: { ...CHOSEN, campaignId: 'cmp_3k' },
      answer: Import,
      errors: ['conflict'],
      action: 'contacts.import.start',
      details: false,
    },
    async ({ params, body: { mapping: chosen, ...options }, principal, workspace, service: { box } }) => {
      mayEnrol(principal, options);
      const begun = await workspace.contacts.imports.start(params.id, chosen, options);
      return presentImport(begun, await box.now());
    },
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/contacts/imports/:id/look',
      operation: 'lookAtImport',
      summary:
        'What would come of the beginning of a file with these columns: who is known, and which lines would be left out',
      params: WithId,
      body: Columns,
      example: CHOSEN,
      answer: ImportLook,
      errors: ['conflict'],
    },
    async ({ params, body, workspace }) =>
      presentLook(await workspace.contacts.imports.look(params.id, body.mapping)),
  ),
  route(
    'send',
    {
      method: 'POST',
      url: '/api/contacts/imports/:id/stop',
      operation: 'stopImport',
      summary: 'Import no more of it; what is in stays in',
      params: WithId,
      answer: Import,
      errors: ['conflict'],
    },
    async ({ params, workspace, service: { box } }) =>
      presentImport(await workspace.contacts.imports.stop(params.id), await box.now()),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/imports/:id/rejected',
      operation: 'listRejectedLines',
      summary: 'The lines that were left out, and why',
      params: WithId,
      query: RejectFilter,
      answer: page(RejectedLine),
    },
    async ({ params, query: { reason: code, ...query }, workspace }) => {
      const { items, nextCursor } = await workspace.contacts.imports.rejected(params.id, { ...query, code });
      return { items: items.map(presentReject), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/contacts/imports/:id/rejected.csv',
      operation: 'downloadRejectedLines',
      summary:
        'The lines that were left out as CSV with a column reason; what a spreadsheet would calculate is made text',
      params: WithId,
      query: InWorkspace,
      answer: document('text/csv'),
    },
    async ({ params: { id }, workspace, reply }) => {
      // Before a head has left: there may be no such import.
      await workspace.contacts.imports.get(id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${id}-rejected.csv"`)
        .header('x-content-type-options', 'nosniff')
        .send(Readable.from(workspace.contacts.imports.rejectedCsv(id)));
    },
  ),
];

function mayEnrol({ scopes }: Principal, { campaignId: into }: { campaignId?: string | undefined }): void {
  if (into !== undefined && !scopes.has('operate'))
    throw new PillarboxError('forbidden', 'campaignId: only an operator puts people into a campaign');
}

function fileOf({ file }: FastifyRequest): AsyncIterable<Uint8Array> {
  if (!file) throw invalidInput('body', 'should be a CSV file, sent as text/csv');
  return file;
}
