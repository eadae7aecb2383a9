import { Type } from '../vendor/typebox.js';
import { instant, list, nullable, text, whole } from './shape.js';
import { StateWord } from './words.js';

export const Delivered = Type.Object(
  {
    delivered: Type.Literal(true),
    id: text('msg_4k7q'),
    messageId: text('<msg_4k7q.5d41402a@example.org>'),
    recorded: Type.Literal(true),
  },
  { title: 'Delivered', description: 'The server took it.' },
);

export const Kept = Type.Object(
  {
    delivered: Type.Literal(false),
    id: text('msg_4k7q'),
    state: StateWord,
    nextAttemptAt: nullable(instant(), undefined, '2026-11-16T14:00:00.000Z'),
  },
  {
    title: 'Kept',
    description:
      'It is stored: on its way without the caller, waiting for its next try, or at an end that needs a person.',
  },
);

export const Duplicate = Type.Object(
  { duplicate: Type.Literal(true), id: text('msg_4k7q'), state: StateWord },
  { title: 'Duplicate', description: 'The key was known; nothing was stored.' },
);

/** What became of many mails at once. */
export const QueuedReport = Type.Object(
  {
    accepted: whole(998),
    duplicates: whole(1),
    errors: list(
      Type.Object({
        index: whole(17, 'Its place among those that were given.'),
        code: text('invalid_input'),
        message: text('to: is not an address'),
      }),
    ),
  },
  { title: 'QueuedReport' },
);
