import { lookup as dnsLookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { domainToASCII } from 'node:url';
import { Names, type Resolver } from './names.js';

export interface HostPolicy {
  /** Loopback, private networks and the rest of the addresses that are not public may be connected to. */
  readonly allowPrivate: boolean;
  /** Set: of what is allowed only this machine may be connected to, and this is what to tell. */
  readonly onlyLoopback?: string | undefined;
  readonly resolver?: Resolver;
}

export type HostAnswer =
  | {
      readonly addresses: readonly string[];
      /** Answers only the addresses that were checked, whatever the DNS would say by now. */
      readonly lookup: LookupFunction;
    }
  | { readonly code: string; readonly detail: string };

/** IPv4 that is not public (RFC 6890 and its registry), and the one cloud service that hides behind a public one. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's host agent
  ['169.254.0.0', 16], // link-local, metadata services
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Inside 2000::/3, what is not public or carries an IPv4 address that could be anything. All else outside 2000::/3
 * is refused as a whole: loopback, unique local, link-local, multicast, IPv4-mapped and -compatible, NAT64.
 */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) notPublic.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(net, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** Of an address in its usual spelling. Whatever is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  // A zone (fe80::1%eth0) only makes sense on a link of our own.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

const system = new Names(async (name) => {
  const found = await dnsLookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
});

const HOST_NAME =
  /^(?=.{1,253}\.?$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/;
/** 127.1, 2130706433, 0x7f.1, 0177.0.0.1: names to us, addresses to the system's resolver. */
const NUMBERS = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i;

/**
 * Resolves a host once, for one connection, and checks what it found: the connection then uses these very
 * addresses through `lookup`, so that a name can't pass the check with one address and be dialled with another.
 * One address that is not public refuses the whole name. The texts never say which address a name has: an
 * account's settings must not become a map of the network behind us. Never throws.
 */
export async function resolveHost(host: string, policy: HostPolicy): Promise<HostAnswer> {
  // Not even asked for by name: the question itself would leave this machine.
  if (policy.onlyLoopback !== undefined && host.toLowerCase() !== 'localhost' && !isLoopbackAddress(host)) {
    return { code: 'EHOST_REFUSED', detail: policy.onlyLoopback };
  }
  if (isIP(host) !== 0) return checked([host], policy);
  const name = toHostName(host);
  if (name === undefined)
    return { code: 'EHOST_INVALID', detail: 'the host is not a host name or an address' };
  if (!policy.allowPrivate && (NUMBERS.test(host) || isIP(name) !== 0)) {
    return { code: 'EHOST_REFUSED', detail: 'the host is an address in an unusual spelling' };
  }
  try {
    return checked(await (policy.resolver ?? system.resolve)(name), policy);
  } catch (cause) {
    const code = codeOf(cause) ?? 'EAI_FAIL';
    return {
      code,
      detail: code === 'ENOTFOUND' ? 'the host name does not exist' : 'the host name was not resolved',
    };
  }
}

function checked(addresses: readonly string[], policy: HostPolicy): HostAnswer {
  const usable = addresses.filter((address) => isIP(address) !== 0);
  if (usable.length === 0) return { code: 'ENOTFOUND', detail: 'the host name has no address' };
  if (policy.onlyLoopback !== undefined && !usable.every(isLoopbackAddress)) {
    return { code: 'EHOST_REFUSED', detail: policy.onlyLoopback };
  }
  if (!policy.allowPrivate && !usable.every(isPublicAddress)) {
    return { code: 'EHOST_REFUSED', detail: 'the host does not have a public address' };
  }
  return { addresses: usable, lookup: pinned(usable) };
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = all;
  return (_name, options, answer) => {
    // Callers of `lookup` expect their answer after it returned.
    process.nextTick(() => (options.all ? answer(null, all) : answer(null, first.address, first.family)));
  };
}

function toHostName(host: string): string | undefined {
  if (host.length > 253 || /[^\p{L}\p{M}\p{N}._\u3002\uff0e\uff61-]/u.test(host)) return undefined;
  const name = domainToASCII(host);
  return HOST_NAME.test(name) ? name : undefined;
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
