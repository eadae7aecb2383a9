import { Type } from '../vendor/typebox.js';
import { whole, word } from './shape.js';

/** What machines are told that ask how the process is. */
export const Alive = Type.Object({ status: Type.Literal('up') });

export const Ready = Type.Object({
  database: Type.Literal('up'),
  renewal: Type.Optional(Type.Literal('up')),
  unstoredResults: Type.Optional(
    whole(0, 'Mails that left and whose result the database has not taken yet.'),
  ),
  broker: Type.Optional(
    word(['up', 'blocked'], { description: '`blocked`: it is short of memory or disk.' }),
  ),
});

/** What one pass did. What had not ended when its time was over is among `claimed` only, and goes on. */
export const PassReport = Type.Object(
  {
    claimed: whole(20),
    sent: whole(18),
    retried: whole(1),
    rescheduled: whole(0),
    dead: whole(1),
    held: whole(0),
  },
  { title: 'PassReport' },
);

export const DemoReport = Type.Object(
  { messages: whole(1_482), pending: whole(31), sent: whole(1_390), dead: whole(58), held: whole(3) },
  { title: 'DemoReport' },
);
