import {
  Activity,
  ArchiveX,
  AtSign,
  Bell,
  CalendarDays,
  FileText,
  Gauge,
  Hand,
  Inbox,
  ListOrdered,
  Mail,
  Radio,
  Server,
  SlidersHorizontal,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Me } from '../api/types';

/** A place in the rail, and the two keys that lead there. */
export interface Place {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys: string;
  /** Carries the count of this state. */
  readonly counts?: 'dead' | 'held';
  readonly group?: string;
  /** Stands in the bar of a phone; the others are behind More. */
  readonly direct?: true;
}

export function placesOf({ installation, administersInstallation }: Me): readonly Place[] {
  return [
    { to: '/', label: 'Overview', icon: Activity, keys: 'g o', direct: true },
    { to: '/queue', label: 'Queue', icon: Mail, keys: 'g q', direct: true },
    { to: '/dead', label: 'Dead letters', icon: ArchiveX, keys: 'g d', counts: 'dead', direct: true },
    { to: '/queue', search: { state: 'held' }, label: 'Held', icon: Hand, keys: 'g h', counts: 'held' },
    { to: '/campaigns', label: 'Campaigns', icon: CalendarDays, keys: 'g c', group: 'Send', direct: true },
    { to: '/sequences', label: 'Sequences', icon: ListOrdered, keys: 'g k', group: 'Send' },
    { to: '/contacts', label: 'Contacts', icon: Users, keys: 'g p', group: 'Send' },
    { to: '/events', label: 'Events', icon: Radio, keys: 'g e', group: 'Notify' },
    { to: '/subscriptions', label: 'Subscriptions', icon: Bell, keys: 'g b', group: 'Notify' },
    { to: '/templates', label: 'Templates', icon: FileText, keys: 'g t', group: 'Notify' },
    { to: '/accounts', label: 'Accounts', icon: AtSign, keys: 'g a', group: 'Run' },
    { to: '/limits', label: 'Limits', icon: Gauge, keys: 'g l', group: 'Run' },
    ...(administersInstallation
      ? [{ to: '/workers', label: 'Workers', icon: Server, keys: 'g w', group: 'Run' }]
      : []),
    ...(installation.inbox
      ? [{ to: '/inbox', label: 'Dev inbox', icon: Inbox, keys: 'g i', group: 'Run' }]
      : []),
    { to: '/settings', label: 'Settings', icon: SlidersHorizontal, keys: 'g s', group: 'Run' },
  ];
}

/** Held is the queue with a filter, so the address alone does not tell them apart. */
export function isAt(place: Place, pathname: string, search: Readonly<Record<string, unknown>>): boolean {
  if (place.to === '/') return pathname === '/';
  if (!(pathname === place.to || pathname.startsWith(`${place.to}/`))) return false;
  return place.to !== '/queue' || (search['state'] === 'held') === (place.search !== undefined);
}
