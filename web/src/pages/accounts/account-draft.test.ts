import { expect, test } from 'vitest';
import { changedFields, changeOf, NO_ACCOUNT } from './account-draft';

const smtp = (values: Record<string, string>) => ({ kind: 'smtp', values }) as const;

test('what nobody touched is not a change', () => {
  expect(changedFields(NO_ACCOUNT, { ...NO_ACCOUNT, transport: smtp({ password: '' }) })).toEqual([]);
});

test('only what was changed is sent, and empty is nothing', () => {
  const after = {
    ...NO_ACCOUNT,
    name: 'Desk',
    displayName: '',
    dailyLimitEmails: 7,
    transport: smtp({ server: 'smtp://a' }),
  };
  const before = { ...NO_ACCOUNT, displayName: 'The desk' };
  const fields = changedFields(before, after);
  expect(fields).toEqual(['name', 'displayName', 'transport', 'dailyLimitEmails']);
  expect(changeOf(fields, after, undefined)).toEqual({
    name: 'Desk',
    displayName: null,
    transport: { kind: 'smtp', url: 'smtp://a' },
    dailyLimitEmails: 7,
  });
});
