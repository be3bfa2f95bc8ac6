import { Setting } from '@acervo/platform-config';

/** Settings of a service that fetches addresses which users give. */
export class EgressConfig {
  @Setting({
    env: 'ACERVO_EGRESS_PORTS',
    default: '',
    description: 'Ports of web sites beside 80 and 443 that may be fetched, separated by commas',
  })
  readonly egressPorts!: string;
  @Setting({
    env: 'ACERVO_EGRESS_REQUESTS_PER_SECOND',
    default: 1,
    min: 0.02,
    max: 100,
    description: 'Requests to one host in a second, of all groups together',
  })
  readonly egressRequestsPerSecond!: number;
  @Setting({
    env: 'ACERVO_EGRESS_GROUP_PER_HOUR',
    default: 3_600,
    min: 1,
    max: 1_000_000,
    description: 'Requests to web sites in an hour for one group',
  })
  readonly egressGroupPerHour!: number;
  @Setting({
    env: 'ACERVO_EGRESS_CONTACT',
    default: null,
    description: 'Address of a page or a mailbox that requests to web sites name, for the people who run these sites',
  })
  readonly egressContact!: string | null;
  @Setting({
    env: 'ACERVO_EGRESS_LOOPBACK',
    default: false,
    testsOnly: true,
    description: 'Whether sites on this machine may be fetched; for tests',
  })
  readonly egressLoopback!: boolean;
}
