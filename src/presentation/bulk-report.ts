import { Type } from '../vendor/typebox.js';
import { flag, list, text, whole } from './shape.js';

const fields = {
  done: whole(120),
  conflicts: whole(2, 'Those that no longer allowed it, or are not there.'),
  more: flag(false, 'There is more that matches: ask again.'),
};

/** What became of a decision about many messages. */
export const BulkReport = Type.Object(
  { ...fields, refused: list(text('msg_4k7q'), 'The first of the conflicts.') },
  { title: 'BulkReport' },
);

/** What became of one status for many subscriptions. */
export const StatusReport = Type.Object(
  {
    done: whole(12, 'Those that have it now.'),
    conflicts: whole(1, 'Those that are not there, or come back by a confirmation of the person only.'),
    refused: list(text('sub_3k'), 'The first of the conflicts.'),
  },
  { title: 'StatusReport' },
);

/** What became of the dead letters of one cause. */
export const GroupReport = Type.Object(fields, { title: 'GroupReport' });
