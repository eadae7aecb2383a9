import { queue } from './0001-queue.js';
import { catcher } from './0002-catcher.js';
import { inline } from './0003-inline.js';
import { access } from './0004-access.js';
import { accounts } from './0005-accounts.js';
import { counts } from './0006-counts.js';
import { compression } from './0007-compression.js';
import { workers } from './0008-workers.js';
import { auditTarget } from './0009-audit-target.js';
import { deaths } from './0010-deaths.js';
import { invitations } from './0011-invitations.js';
import { addresses } from './0012-addresses.js';
import { growth } from './0013-growth.js';
import { marks } from './0017-marks.js';
import { guard } from './0018-guard.js';
import { contacts } from './0019-contacts.js';
import { sequences } from './0020-sequences.js';
import { announcements } from './0021-announcements.js';
import { campaignIndexes, campaigns } from './0022-campaigns.js';
import { templates } from './0023-templates.js';
import { notificationIndexes, notifications } from './0024-notifications.js';
import { workFigures } from './0026-work-figures.js';
import { suppressionIndexes, suppressionNotes } from './0031-suppression-notes.js';
import { dkim } from './0032-dkim.js';
import { importEnrolments } from './0033-import-enrolments.js';
import { importDid } from './0034-import-did.js';
import { told } from './0035-told.js';
import type { DefinitionDialect } from './dialect.js';
import type { Backfill, LargeIndex } from './parts.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Done together, in one transaction: what takes long belongs into the parts below. */
  readonly statements: (dialect: DefinitionDialect) => string[];
  readonly backfills?: (dialect: DefinitionDialect) => readonly Backfill[];
  readonly indexes?: (dialect: DefinitionDialect) => readonly LargeIndex[];
}

/** Forward only, one list for both databases. Never edit one that was released: add the next. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'queue', statements: queue },
  { version: 2, name: 'catcher', statements: catcher },
  { version: 3, name: 'inline', statements: inline },
  { version: 4, name: 'access', statements: access },
  { version: 5, name: 'accounts', statements: accounts },
  { version: 6, name: 'counts', statements: counts },
  { version: 7, name: 'compression', statements: compression },
  { version: 8, name: 'workers', statements: workers },
  { version: 9, name: 'audit-target', statements: auditTarget },
  { version: 10, name: 'deaths', statements: deaths },
  { version: 11, name: 'invitations', statements: invitations },
  { version: 12, name: 'addresses', statements: addresses },
  { version: 13, name: 'growth', statements: growth },
  { version: 17, name: 'marks', statements: marks },
  { version: 18, name: 'guard', statements: guard },
  { version: 19, name: 'contacts', statements: contacts },
  { version: 20, name: 'sequences', statements: sequences },
  { version: 21, name: 'announcements', statements: announcements },
  { version: 22, name: 'campaigns', statements: campaigns, indexes: campaignIndexes },
  { version: 23, name: 'templates', statements: templates },
  { version: 24, name: 'notifications', statements: notifications, indexes: notificationIndexes },
  { version: 26, name: 'work-figures', statements: workFigures },
  {
    ...{ version: 31, name: 'suppression-notes', statements: suppressionNotes },
    indexes: suppressionIndexes,
  },
  { version: 32, name: 'dkim', statements: dkim },
  { version: 33, name: 'import-enrolments', statements: importEnrolments },
  { version: 34, name: 'import-did', statements: importDid },
  { version: 35, name: 'told', statements: told },
];

export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map((migration) => migration.version));
