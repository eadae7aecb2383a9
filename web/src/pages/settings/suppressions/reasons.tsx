import { Flag, User } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answers } from '../../../api/types';
import { AttemptGlyph, StateGlyph } from '../../../parts/glyphs';

export type Suppression = Answers['listSuppressions']['items'][number];
export type Reason = Suppression['reason'];

interface Look {
  /** Of one address, and of many. */
  readonly one: string;
  readonly many: string;
  readonly glyph: ReactNode;
}

export const REASONS: Readonly<Record<Reason, Look>> = {
  hard_bounce: { one: 'Bounced', many: 'bounced', glyph: <AttemptGlyph outcome="failed" /> },
  unsubscribed: { one: 'Unsubscribed', many: 'unsubscribed', glyph: <StateGlyph state="skipped" /> },
  soft_bounces: {
    one: '3 soft bounces',
    many: 'soft bounces',
    glyph: <StateGlyph state="retry_scheduled" />,
  },
  complaint: {
    one: 'Complained',
    many: 'complained',
    glyph: <Flag size={14} strokeWidth={1.75} aria-hidden className="text-retry" />,
  },
  manual: {
    one: 'By hand',
    many: 'by hand',
    glyph: <User size={14} strokeWidth={1.75} aria-hidden className="text-ink-2" />,
  },
};

export const ORDER = Object.keys(REASONS) as readonly Reason[];
