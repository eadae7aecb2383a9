import {
  AttributesInUse,
  PeopleWalk,
  presentCheck,
  presentPreview,
  presentResults,
  presentSequence,
  presentSequences,
  presentVersion,
  presentWalk,
  Sequence,
  SequenceCheck,
  SequenceList,
  SequencePreview,
  SequenceVersion,
  StepResults,
} from '../../presentation/sequence.js';
import { page, text } from '../../presentation/shape.js';
import { SequenceInput, StepsInput } from '../../sequences/input.js';
import { Type } from '../../vendor/typebox.js';
import { pageQuery } from '../paging.js';
import { countRemoteImages } from '../../presentation/remote-images.js';
import { sendPreview } from '../preview/send.js';
import { document, route, type Route } from '../route.js';
import { InWorkspace } from '../where.js';

const closed = { additionalProperties: false } as const;
const MB = 1024 * 1024;
/** All letters of the largest one as escapes. */
const BODY_LIMIT = 12 * MB;
/** The same as a browser encodes it. */
const FORM_LIMIT = 24 * MB;

const WithId = Type.Object({ id: Type.String() });
const ReadOnly = Type.Optional(Type.String({ maxLength: 100, readOnly: true }));
/** What a GET answers may be put back. */
const Saved = Type.Object(
  {
    ...SequenceInput.properties,
    version: Type.Optional(Type.Integer({ minimum: 1 })),
    ...{ id: ReadOnly, createdAt: ReadOnly, updatedAt: ReadOnly },
    usedBy: Type.Optional(
      Type.Object({ campaigns: Type.Integer(), running: Type.Integer() }, { ...closed, readOnly: true }),
    ),
  },
  closed,
);
const whom = {
  step: Type.Integer({ minimum: 1, maximum: 1_000 }),
  contactId: Type.String({ maxLength: 40 }),
  /** As they would be, instead of those that are saved. */
  steps: Type.Optional(StepsInput.properties.steps),
};
const WhatToShow = Type.Object({ ...whom, accountId: Type.Optional(Type.String({ maxLength: 40 })) }, closed);
const WhomToWalk = Type.Object(
  {
    ...StepsInput.properties,
    contactId: Type.Optional(Type.String({ maxLength: 40 })),
    lacking: Type.Optional(Type.Boolean()),
  },
  closed,
);
const WhatToTest = Type.Object(
  { ...whom, accountId: Type.String({ maxLength: 40 }), to: Type.String({ maxLength: 320 }) },
  closed,
);
const Tested = Type.Object({ id: text('msg_4k7q', 'The mail that was stored; a worker sends it at once.') });

const EXAMPLE = {
  name: 'Autumn',
  steps: [
    {
      ...{ order: 1, delayDays: 0, subject: 'Rooms in autumn, {{ contact.name }}' },
      body: '<p>Dear {{ contact.name }}, how is {{ contact.attributes.company | default: "work" }}?</p>',
    },
    { order: 2, delayDays: 3, body: 'Did you see my mail?' },
  ],
};

export const sequenceRoutes: readonly Route[] = [
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/sequences',
      operation: 'createSequence',
      summary: 'What people are written to, step by step; a template that does not make sense is refused',
      body: SequenceInput,
      bodyLimit: BODY_LIMIT,
      example: EXAMPLE,
      answer: Sequence,
    },
    async ({ body, workspace }) => presentSequence(await workspace.sequences.create(body)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences',
      operation: 'listSequences',
      summary: 'All of them, without their steps, newest first; `q`: a part of the name',
      query: Type.Object({ ...pageQuery, q: Type.Optional(Type.String({ maxLength: 320 })) }, closed),
      answer: SequenceList,
    },
    async ({ query, workspace }) => presentSequences(await workspace.sequences.list(query)),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/sequences/check',
      operation: 'checkSequence',
      summary: 'What is wrong with these steps, how many people it hits, and what may be put into them',
      body: StepsInput,
      bodyLimit: BODY_LIMIT,
      example: { steps: EXAMPLE.steps },
      answer: SequenceCheck,
    },
    async ({ body, workspace }) => presentCheck(await workspace.sequences.check(body)),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/sequences/people',
      operation: 'walkPeople',
      summary: 'Who comes before and after somebody for whom these steps are shown, and who lacks something',
      body: WhomToWalk,
      bodyLimit: BODY_LIMIT,
      example: { steps: EXAMPLE.steps, contactId: 'con_4k7q', lacking: true },
      answer: PeopleWalk,
    },
    async ({ body, workspace }) => presentWalk(await workspace.sequences.people(body)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences/attributes',
      operation: 'listAttributesInUse',
      summary:
        'Which attributes of people sequences say, and which sequences: the newest version of the newest 200',
      answer: AttributesInUse,
    },
    async ({ workspace }) => ({
      items: (await workspace.sequences.attributes()).map((each) => ({ ...each })),
    }),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences/:id',
      operation: 'getSequence',
      summary: 'The newest version of one',
      params: WithId,
      answer: Sequence,
    },
    async ({ params, workspace }) => presentSequence(await workspace.sequences.get(params.id)),
  ),
  route(
    'operate',
    {
      method: 'PUT',
      url: '/api/sequences/:id',
      operation: 'saveSequence',
      summary: 'A new version; with `version`, only if nobody has saved another one since',
      params: WithId,
      body: Saved,
      bodyLimit: BODY_LIMIT,
      example: EXAMPLE,
      answer: Sequence,
      errors: ['conflict'],
    },
    async ({ params, body: { name, steps, version }, workspace }) =>
      presentSequence(await workspace.sequences.save(params.id, { name, steps }, { version })),
  ),
  route(
    'operate',
    {
      method: 'DELETE',
      url: '/api/sequences/:id',
      operation: 'deleteSequence',
      summary: 'Remove one that no campaign says',
      params: WithId,
      answer: Sequence,
      errors: ['conflict'],
    },
    async ({ params, workspace }) => presentSequence(await workspace.sequences.remove(params.id)),
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/sequences/:id/preview',
      operation: 'previewStep',
      summary:
        'One step as one person would get it, also of steps that are not saved; 400 with the reason if not at all',
      params: WithId,
      body: WhatToShow,
      bodyLimit: BODY_LIMIT,
      example: { step: 1, contactId: 'con_4k7q' },
      answer: SequencePreview,
      errors: ['invalid_config', 'busy'],
    },
    async ({ params, body, workspace }) => {
      const preview = await workspace.sequences.preview(params.id, body);
      return presentPreview(preview, countRemoteImages(preview.html));
    },
  ),
  route(
    'read',
    {
      method: 'POST',
      url: '/api/sequences/:id/document',
      operation: 'showStep',
      summary: 'The html of a preview as a document for a sandboxed frame',
      params: WithId,
      query: InWorkspace,
      body: WhatToShow,
      framed: true,
      bodyLimit: FORM_LIMIT,
      example: { step: 1, contactId: 'con_4k7q' },
      answer: document('text/html'),
      errors: ['invalid_config', 'busy'],
    },
    async ({ params, body, workspace, reply }) =>
      sendPreview(reply, (await workspace.sequences.preview(params.id, body)).html, []),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences/:id/results',
      operation: 'listStepResults',
      summary:
        'What came of its steps, by their number: of all campaigns that say it, or of the newest of very many mails',
      params: WithId,
      answer: StepResults,
    },
    async ({ params, workspace }) => presentResults(await workspace.sequences.results(params.id)),
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences/:id/versions',
      operation: 'listVersions',
      summary: 'When it was saved, newest first',
      params: WithId,
      query: Type.Object(pageQuery, closed),
      answer: page(SequenceVersion),
    },
    async ({ params, query, workspace }) => {
      const { items, nextCursor } = await workspace.sequences.versions(params.id, query);
      return { items: items.map(presentVersion), nextCursor };
    },
  ),
  route(
    'read',
    {
      method: 'GET',
      url: '/api/sequences/:id/versions/:version',
      operation: 'getVersion',
      summary: 'One as it was then',
      params: Type.Object({ id: Type.String(), version: Type.String() }),
      answer: Sequence,
    },
    async ({ params, workspace }) =>
      presentSequence(await workspace.sequences.version(params.id, Number(params.version))),
  ),
  route(
    'operate',
    {
      method: 'POST',
      url: '/api/sequences/:id/test',
      operation: 'testStep',
      summary: 'Send what the preview shows to somebody else, at once, marked by `X-Pillarbox-Test: 1`',
      params: WithId,
      body: WhatToTest,
      bodyLimit: BODY_LIMIT,
      example: { step: 1, contactId: 'con_4k7q', accountId: 'acc_1', to: 'me@example.org' },
      answer: Tested,
      errors: ['invalid_config', 'busy'],
    },
    ({ params, body, workspace }) => workspace.sequences.test(params.id, body),
  ),
];
