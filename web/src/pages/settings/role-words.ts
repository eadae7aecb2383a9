import type { Role, Scope } from '../../api/types';

export const ROLES: readonly { readonly value: Role; readonly label: string; readonly may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'Sees everything, changes nothing.' },
  {
    value: 'operator',
    label: 'Operator',
    may: 'Sees everything; sends, retries, dismisses and cancels mail; pauses and resumes accounts.',
  },
  { value: 'admin', label: 'Admin', may: 'Everything, accounts, settings, people and keys included.' },
];

export const SCOPES: readonly { readonly value: Scope; readonly label: string; readonly may: string }[] = [
  { value: 'send', label: 'send', may: 'Hand in mail.' },
  { value: 'read', label: 'read', may: 'See mail, accounts and settings.' },
  {
    value: 'operate',
    label: 'operate',
    may: 'Retry, dismiss, cancel and resolve mail; pause and resume accounts.',
  },
  { value: 'admin', label: 'admin', may: 'Everything, people and keys included.' },
];
