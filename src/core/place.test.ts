import { expect, test } from 'vitest';
import { parseNetworks, placeOfAddress } from './place.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:3::9]', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is at %s', (address, place) => {
  expect(placeOfAddress(address)).toBe(place);
});

test.each([
  ...['', 'unknown', '_hidden', '1.2.3', '1.2.3.256', '01.2.3.4', '1.2.3.4.5', '::1::2', ':::', 'abc', ':'],
  ...[
    '1:2:3:4:5:6:7:8:9',
    '[::1',
    '1.2.3.4]',
    '::1/64',
    'http://1.2.3.4',
    '1.2.3.4:x',
    `::${'1'.repeat(100)}`,
  ],
])('%s is no address, and nowhere', (text) => {
  expect(placeOfAddress(text)).toBeUndefined();
});

test.each([
  ['10.0.0.5', ['10.0.0.5']],
  ['10.0.0.0/8,fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
  [' 127.0.0.1 , ::1 , 2001:db8::/32', ['127.0.0.1', '::1', '2001:db8::/32']],
])('%s names networks', (text, networks) => {
  expect(parseNetworks(text)).toEqual(networks);
});

test.each(
  [',', '10.0.0.5,', '10.0.0.5 10.0.0.6', 'proxy.example.org', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/0']
    .concat(['::/0', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/08', '10.0.0.0/255.0.0.0', '10.0.0', 'loopback'])
    .concat(['fe80::1%eth0', '*', 'true']),
)('%s does not', (text) => {
  expect(() => parseNetworks(text)).toThrow(/^should be addresses or networks/);
});
