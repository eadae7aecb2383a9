import { describe, expect, test, vi } from 'vitest';

import { isPublicAddress, resolveHost, type HostAnswer } from './hosts.js';
import type { Resolver } from './names.js';

const never = vi.fn(() => Promise.reject(new Error('was asked')));
const codeOf = (answer: HostAnswer): string => ('code' in answer ? answer.code : answer.addresses.join(' '));

const PRIVATE_ADDRESSES = [
  // loopback, this network, private
  '127.0.0.1', '127.1.2.3', '127.255.255.255', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255',
  '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255',
  // carrier-grade NAT, link-local, metadata
  '100.64.0.1', '100.127.255.255', '100.100.100.200', '169.254.0.1', '169.254.169.254', '192.0.0.192', '168.63.129.16',
  // documentation, benchmarks, relays, multicast, reserved, broadcast
  '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255',
  // the same in IPv6
  '::', '::1', '0:0:0:0:0:0:0:1', 'fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fe80::1%eth0',
  'fec0::1', 'ff02::1', '100::1', '2001:db8::1', '3fff::1', '5f00::1', '2001:2::1', '2001:10::1',
  // IPv4 in disguise: mapped, compatible, translated, 6to4, NAT64, Teredo
  '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254',
  '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1', '::a00:1', '::ffff:0:127.0.0.1', '2002:7f00:1::', '2002:a00:1::1',
  '2002:c0a8:101::1', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2001:0:53aa:64c::1', '2001::1',
]; // prettier-ignore

/** Names to us, addresses to the system's resolver. */
const ODD_SPELLINGS = [
  '2130706433', '0x7f000001', '0X7F000001', '017700000001', '127.1', '127.0.1', '0177.0.0.1', '0177.1', '0x7f.0.0.1',
  '0x7f.1', '127.0.0.01', '127.0.0.1.', '0', '0x0', '00.0.0.0', '1.2.3', '4294967295', '0xa9fea9fe', '2852039166',
  '169.254.43518', '0xA9.0xFE.0xA9.0xFE', '１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '134744072', '10.1',
]; // prettier-ignore

const INVALID = [
  '',
  ' ',
  'a b',
  'a\r\nb',
  'a\0b',
  '[::1]',
  '[127.0.0.1]',
  'a/b',
  'a@b',
  'a:25',
  '%31%32%37',
  'a..b',
  '-a.b',
  '1.2.3.4.5',
  '256.1.1.1',
  'x'.repeat(300),
];

describe('without permission for private hosts [F51]', () => {
  test.each(PRIVATE_ADDRESSES)('%s is refused, as an address and as an answer', async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(codeOf(await resolveHost(address, { allowPrivate: false, resolver: never }))).toBe(
      'EHOST_REFUSED',
    );
    const resolver = () => Promise.resolve([address]);
    expect(codeOf(await resolveHost('mail.example.org', { allowPrivate: false, resolver }))).toBe(
      'EHOST_REFUSED',
    );
    const mixed = () => Promise.resolve(['8.8.8.8', address]);
    expect(codeOf(await resolveHost('mail.example.org', { allowPrivate: false, resolver: mixed }))).toBe(
      'EHOST_REFUSED',
    );
    expect(never).not.toHaveBeenCalled();
  });

  test.each(ODD_SPELLINGS)('%s is refused before anybody resolves it', async (host) => {
    expect(codeOf(await resolveHost(host, { allowPrivate: false, resolver: never }))).toBe('EHOST_REFUSED');
    expect(never).not.toHaveBeenCalled();
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.1.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', async (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(codeOf(await resolveHost(address, { allowPrivate: false, resolver: never }))).toBe(address);
  });

  test('the text does not say which address a name has', async () => {
    const answer = await resolveHost('intranet.example.org', {
      allowPrivate: false,
      resolver: () => Promise.resolve(['10.11.12.13']),
    });
    expect(JSON.stringify(answer)).not.toContain('10.11.12.13');
  });
});

test.each(INVALID)('%j is not a host', async (host) => {
  for (const allowPrivate of [false, true]) {
    expect(codeOf(await resolveHost(host, { allowPrivate, resolver: never }))).toMatch(
      /^EHOST_(INVALID|REFUSED)$/,
    );
  }
  expect(never).not.toHaveBeenCalled();
});

test('with permission, private hosts are as good as any', async () => {
  const resolver = vi.fn(() => Promise.resolve(['10.0.0.1', '::1']));
  expect(codeOf(await resolveHost('mailpit', { allowPrivate: true, resolver }))).toBe('10.0.0.1 ::1');
  expect(codeOf(await resolveHost('my_mail', { allowPrivate: true, resolver }))).toBe('10.0.0.1 ::1');
  expect(codeOf(await resolveHost('127.0.0.1', { allowPrivate: true, resolver: never }))).toBe('127.0.0.1');
  expect(resolver).toHaveBeenCalledTimes(2);
});

test('a name is asked for in ASCII', async () => {
  const resolver = vi.fn(() => Promise.resolve(['8.8.8.8']));
  await resolveHost('Mail.MÜLLER.example', { allowPrivate: false, resolver });
  expect(resolver).toHaveBeenCalledWith('mail.xn--mller-kva.example');
});

test('the lookup answers what was checked, whatever the name has become since', async () => {
  const answers = [['8.8.8.8', '2606:4700::1111'], ['127.0.0.1']];
  const resolver = vi.fn(() => Promise.resolve(answers.shift() ?? []));
  const answer = await resolveHost('rebinding.example', { allowPrivate: false, resolver });
  if ('code' in answer) throw new Error('refused');

  const all = await new Promise((resolve) =>
    answer.lookup('rebinding.example', { all: true }, (_fault, found) => resolve(found)),
  );
  const first = await new Promise((resolve) =>
    answer.lookup('rebinding.example', {}, (_fault, found, family) => resolve([found, family])),
  );
  expect(all).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(first).toEqual(['8.8.8.8', 4]);
  expect(resolver).toHaveBeenCalledTimes(1);
  expect(codeOf(await resolveHost('rebinding.example', { allowPrivate: false, resolver }))).toBe(
    'EHOST_REFUSED',
  );
});

test.each([
  [Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'ENOTFOUND'],
  [Object.assign(new Error('x'), { code: 'EAI_AGAIN' }), 'EAI_AGAIN'],
  [new Error('x'), 'EAI_FAIL'],
])('a resolver that fails is reported by its code: %s', async (fault, code) => {
  const resolver = () => Promise.reject(fault);
  expect(codeOf(await resolveHost('mail.example.org', { allowPrivate: false, resolver }))).toBe(code);
});

test('a name without an address, or with rubbish for one, is not found', async () => {
  for (const answer of [[], ['rubbish'], ['']]) {
    const resolver = () => Promise.resolve(answer);
    expect(codeOf(await resolveHost('mail.example.org', { allowPrivate: false, resolver }))).toBe(
      'ENOTFOUND',
    );
  }
});

describe('while only this machine may be reached', () => {
  const onlyLoopback = 'nothing leaves this machine';
  const asked = (host: string, resolver: Resolver = never, allowPrivate = true) =>
    resolveHost(host, { allowPrivate, onlyLoopback, resolver });

  test.each(['127.0.0.1', '127.8.9.10', '::1'])('%s may, unless it may not anyway', async (address) => {
    expect(codeOf(await asked(address))).toBe(address);
    expect(codeOf(await asked(address, never, false))).toBe('EHOST_REFUSED');
  });

  test.each([
    '8.8.8.8',
    '10.0.0.1',
    '192.168.1.1',
    '2606:4700::1111',
    'fe80::1',
    '::ffff:8.8.8.8',
    'smtp.example.org',
    '127.1',
    '2130706433',
    '127.0.0.1.example.org',
    'localhost.example.org',
    '',
  ])('%j may not, is told why, and is not even asked for', async (host) => {
    expect(await asked(host)).toEqual({ code: 'EHOST_REFUSED', detail: onlyLoopback });
    expect(never).not.toHaveBeenCalled();
  });

  test('localhost may, as long as that is what it is', async () => {
    expect(codeOf(await asked('LOCALHOST', () => Promise.resolve(['127.0.0.1', '::1'])))).toBe(
      '127.0.0.1 ::1',
    );
    expect(codeOf(await asked('localhost', () => Promise.resolve(['127.0.0.1', '192.0.2.7'])))).toBe(
      'EHOST_REFUSED',
    );
  });
});
