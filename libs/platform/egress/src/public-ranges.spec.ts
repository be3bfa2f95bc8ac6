import fc from 'fast-check';
import { IPv4, IPv6 } from 'ipaddr.js';
import { isPublicAddress } from './public-address';
import { publicRanges } from './public-ranges';

const [four, six] = publicRanges();

const addressesOf = (bytes: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.integer({ min: 0, max: 255 }), { minLength: bytes, maxLength: bytes });

const isIn = (address: IPv4 | IPv6, cidr: string): boolean =>
  address instanceof IPv4 ? address.match(IPv4.parseCIDR(cidr)) : address.match(IPv6.parseCIDR(cidr));

const isAdmitted = (address: IPv4 | IPv6, range = address instanceof IPv4 ? four : six): boolean =>
  range !== undefined && isIn(address, range.cidr) && !range.except.some((each) => isIn(address, each));

describe('ranges of the internet', () => {
  it.each([
    ['IPv4', addressesOf(4).map((bytes) => new IPv4([...bytes]))],
    ['IPv6', addressesOf(16).map((bytes) => new IPv6([0x20 + ((bytes[0] ?? 0) % 64), ...bytes.slice(1)]))],
  ] as const)('admit the addresses of %s that the client admits', (_, addresses) => {
    fc.assert(
      fc.property(addresses, (address: IPv4 | IPv6) => isAdmitted(address) === isPublicAddress(address.toString())),
      { numRuns: 2_000 },
    );
  });
  it('except the first address of each private range', () => {
    const excepted = [four, six].flatMap((range) => range?.except ?? []);
    expect(excepted.length).toBeGreaterThan(20);
    expect(excepted.filter((cidr) => isPublicAddress(cidr.slice(0, cidr.indexOf('/'))))).toEqual([]);
  });
  it.each(['10.1.2.3', '169.254.169.254', '168.63.129.16', '100.64.0.1', 'fd00::1', '2002:a00:1::'])(
    'leave out %s',
    (address) => {
      expect(isAdmitted(address.includes(':') ? IPv6.parse(address) : IPv4.parse(address))).toBe(false);
    },
  );
});
