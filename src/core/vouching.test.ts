import { describe, expect, test } from 'vitest';
import { joiningOf, renewalFault } from './vouching.js';

describe('somebody who is known joins another workspace', () => {
  test.each([
    ['installation', true, 'installation', 'stays'],
    ['installation', false, 'installation', 'anew'],
    ['workspace', true, 'installation', 'anew'],
    ['workspace', false, 'installation', 'anew'],
    ['installation', true, 'workspace', 'stays'],
    ['installation', false, 'workspace', 'stays'],
    ['workspace', true, 'workspace', 'refused'],
    ['workspace', false, 'workspace', 'refused'],
  ] as const)('vouched for by the %s, own password %s, added by the %s: %s', (voucher, own, by, joining) => {
    expect(joiningOf({ voucher, own, isSelf: false }, by)).toBe(joining);
  });

  test('who administers the installation and adds himself keeps his password, whosever it is', () => {
    expect(joiningOf({ voucher: 'workspace', own: false, isSelf: true }, 'installation')).toBe('stays');
  });
});

describe('another password or invitation', () => {
  const somebody = { isSelf: false, own: false, elsewhere: false };

  test('is given to others only, by whoever has anyway what they have', () => {
    expect(renewalFault('workspace', somebody)).toBeUndefined();
    expect(renewalFault('workspace', { ...somebody, own: true })).toMatch(/^this person has chosen/);
    expect(renewalFault('workspace', { ...somebody, elsewhere: true })).toMatch(/other workspaces/);
    expect(renewalFault('installation', { ...somebody, own: true, elsewhere: true })).toBeUndefined();
  });

  test.each(['installation', 'workspace'] as const)('is not for oneself: %s', (by) => {
    expect(renewalFault(by, { ...somebody, isSelf: true })).toContain('POST /api/auth/password');
  });
});
