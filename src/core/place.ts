/** Longer than any address. What is longer is not looked at. */
const LONGEST_ADDRESS = 64;
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);
/** Some proxies tell the port as well. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Where somebody is, for whoever counts what comes from there: an IPv4 address, or the /64 of an IPv6 address, of which
 * everybody has as many as he likes. Undefined for what is no address.
 */
export function placeOfAddress(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  const [, bracketed, bare] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? bare ?? text;
  if (V4.test(address)) return address;
  const groups = groupsOf(address.split('%')[0] ?? '');
  if (!groups) return undefined;
  return isMapped(groups) ? v4Of(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** Addresses and networks, as a list with commas. Throws with what they should be. */
export function parseNetworks(text: string): readonly string[] {
  const networks = text.split(',').map((each) => each.trim());
  if (!networks.every(isNetwork)) throw new Error(SHOULD_BE);
  return networks;
}

const SHOULD_BE =
  'should be addresses or networks with commas between them, such as 10.0.0.5, 172.16.0.0/12, fd00::/8';

/** All addresses there are is no network: everybody could then say that he is anybody. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || text.length > LONGEST_ADDRESS) return false;
  const widest = V4.test(address) ? 32 : groupsOf(address) ? 128 : 0;
  if (bits === undefined) return widest > 0;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= widest;
}

/** The eight groups of an IPv6 address, each in its usual spelling. */
function groupsOf(address: string): readonly string[] | undefined {
  if (!address.includes(':') || !/^[\da-f:.]+$/i.test(address)) return undefined;
  let host: string;
  try {
    host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [before = '', after] = host.split('::');
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** An IPv4 address, as a socket that takes both kinds tells it. */
const isMapped = (groups: readonly string[]): boolean => groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';

const v4Of = (groups: readonly string[]): string =>
  groups
    .map((group) => parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.');
