import { IPv4, IPv6 } from 'ipaddr.js';
import { GLOBAL_UNICAST, METADATA } from './public-address';

type Range<T> = readonly [T, number];

/** A range of addresses, and the ranges in it that are not of the internet. */
export interface PublicRange {
  readonly cidr: string;
  readonly except: readonly string[];
}

/** The library classifies addresses by this list; its types do not name it. */
const specialRangesOf = <T extends IPv4 | IPv6>(prototype: T): readonly Range<T>[] => {
  const { SpecialRanges: ranges } = prototype as unknown as { SpecialRanges: Record<string, Range<T> | Range<T>[]> };
  return Object.values(ranges).flatMap((each) => (Array.isArray(each[0]) ? (each as Range<T>[]) : [each as Range<T>]));
};

const written = ([address, bits]: Range<IPv4 | IPv6>): string => `${address.toString()}/${bits}`;

/** Each once, by its text. */
const sorted = (ranges: readonly string[]): readonly string[] => [...new Set(ranges)].toSorted();

/** What `isPublicAddress` admits, as ranges: for network policies, firewalls and proxies in front of a client. */
export const publicRanges = (): readonly PublicRange[] => [
  {
    cidr: '0.0.0.0/0',
    except: sorted([...specialRangesOf(IPv4.prototype).map(written), ...[...METADATA].map((host) => `${host}/32`)]),
  },
  {
    cidr: written(GLOBAL_UNICAST),
    except: sorted(
      specialRangesOf(IPv6.prototype)
        .filter(([address]) => address.match(GLOBAL_UNICAST))
        .map(written),
    ),
  },
];
