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
import type { DefinitionDialect } from './dialect.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: DefinitionDialect) => string[];
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
];

export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map((migration) => migration.version));
