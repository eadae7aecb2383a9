import { viewOf } from '../contacts/contacts.js';
import { formatId } from '../core/ids.js';
import type { ErasureReport as KnownErasure, PersonData as KnownPerson } from '../privacy/privacy.js';
import { Type, type Static } from '../vendor/typebox.js';
import { Attempt, presentAttempt } from './attempt.js';
import { ContactData, presentContactData } from './contact.js';
import { AuditEntry, presentAuditEntry } from './audit-entry.js';
import { iso } from './instant.js';
import { messageFields, presentMessage } from './message.js';
import { flag, instant, list, page, text, whole, word } from './shape.js';

export const PersonData = Type.Object(
  {
    email: text('ada@example.org'),
    suppressions: list(
      Type.Object({ address: text('ada@example.org'), reason: text('unsubscribed'), createdAt: instant() }),
    ),
    softBounces: list(Type.Object({ messageId: text('msg_4k7q'), bouncedAt: instant() })),
    contacts: list(ContactData, 'As which the address is known.'),
    importLines: list(
      Type.Object({ importId: text('imp_1'), line: whole(3_107) }),
      'Lines of imported files that were left out and name the address.',
    ),
    subscriptions: list(
      Type.Object({
        id: text('sub_3k'),
        topic: text('section:09214'),
        status: text('active'),
        createdAt: instant(),
        history: list(Type.Object({ at: instant(), kind: text('notify_sent') })),
      }),
      'What the person wants to be told of, with what happened to it.',
    ),
    events: list(text('evt_3k'), 'Events that name the address: in payload, topic, key or trace.'),
    caught: list(text('cgt_2'), 'What the development inbox has to or from the address.'),
    deadCauses: list(
      Type.Object({
        fingerprint: text('5d41402abc4b2a76'),
        sample: text('550 5.1.1 <ada@example.org>: no such user'),
      }),
    ),
    messages: page(
      Type.Object({ ...messageFields, role: word(['recipient', 'copy']), attemptLog: list(Attempt) }),
    ),
    audit: list(AuditEntry),
  },
  { title: 'PersonData' },
);
export type PersonData = Static<typeof PersonData>;

export const ErasureReport = Type.Object(
  {
    messages: whole(12, 'Messages to the address, or with a copy to it.'),
    cancelled: whole(1, 'Of those: had not left, and never will.'),
    inFlight: whole(0, 'Of those: are leaving at this moment. They are erased when they have ended.'),
    suppressed: flag(true, 'Is not written to any more: that is still known, by a keyed hash.'),
    events: list(
      text('evt_3k'),
      'Events that name the address. They stay as they are, because others were told of them too.',
    ),
    scrubbed: flag(true, 'SQLite: false if traces are left in unused bytes of the file.'),
  },
  { title: 'ErasureReport' },
);

export const presentErasure = ({ events, ...report }: KnownErasure): Static<typeof ErasureReport> => ({
  ...report,
  events: events.map((id) => formatId('event', id)),
});

/** All that is kept about somebody. The mails themselves are at `/api/messages/:id/content`. */
export const presentPerson = ({ email, traces, contacts, messages, audit }: KnownPerson): PersonData => ({
  email,
  suppressions: traces.suppressions.map((each) => ({ ...each, createdAt: iso(each.createdAt) })),
  softBounces: traces.softBounces.map(({ messageId, bouncedAt }) => ({
    messageId: formatId('message', messageId),
    bouncedAt: iso(bouncedAt),
  })),
  contacts: contacts.map((contact) => presentContactData(viewOf(contact))),
  importLines: traces.importLines.map(({ importId, line }) => ({
    importId: formatId('import', importId),
    line,
  })),
  subscriptions: traces.subscriptions.map(({ id, createdAt, history, ...each }) => ({
    ...each,
    id: formatId('subscription', id),
    createdAt: iso(createdAt),
    history: history.map(({ at, kind }) => ({ at: iso(at), kind })),
  })),
  events: traces.events.map((id) => formatId('event', id)),
  caught: traces.caught.map((id) => formatId('caught', id)),
  deadCauses: traces.causes,
  messages: {
    items: messages.items.map(({ message, own, attempts }) => ({
      ...presentMessage(message),
      role: own ? 'recipient' : 'copy',
      attemptLog: attempts.map(presentAttempt),
    })),
    nextCursor: messages.nextCursor,
  },
  audit: audit.map(presentAuditEntry),
});
