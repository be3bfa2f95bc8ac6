import { Setting } from './settings';

/** Settings of every service: listeners, addresses and logs. */
export class BaseConfig {
  @Setting({ env: 'ACERVO_HOST', default: '127.0.0.1', description: 'Address that the public port listens on' })
  readonly host!: string;
  @Setting({
    env: 'ACERVO_INTERNAL_HOST',
    default: null,
    description: 'Address that the internal port listens on; that of the public port unless it is set',
  })
  readonly internalHost!: string | null;
  @Setting({ env: 'ACERVO_PORT', default: 8080, min: 0, max: 65_535, description: 'Public port' })
  readonly publicPort!: number;
  @Setting({
    env: 'ACERVO_INTERNAL_PORT',
    default: 8081,
    min: 0,
    max: 65_535,
    description: 'Port of calls, health and metrics',
  })
  readonly internalPort!: number;
  @Setting({ env: 'ACERVO_PUBLIC_URL', default: 'http://127.0.0.1:8080', description: 'Base of the links in answers' })
  readonly publicUrl!: string;
  @Setting({
    env: 'ACERVO_TRUSTED_PROXIES',
    default: 0,
    min: 0,
    max: 10,
    description: 'Proxies in front of the public port; the address of a caller is the one that the first of them saw',
  })
  readonly trustedProxies!: number;
  @Setting({
    env: 'ACERVO_CONNECTIONS',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    description: 'Connections that each port has at a time; further ones are closed',
  })
  readonly connections!: number;
  @Setting({
    env: 'ACERVO_CONNECTIONS_PER_ADDRESS',
    default: 256,
    min: 1,
    max: 1_000_000,
    description:
      'Connections to the public port of one IPv4 address or IPv6 /64 network; further ones get 429. Without effect behind trusted proxies, which open the connections',
  })
  readonly connectionsPerAddress!: number;
  @Setting({
    env: 'ACERVO_INTERNAL_URL',
    default: 'http://{service}:8081',
    description: 'Internal address of the other services, {service} stands for the name; or a list of name=address',
  })
  readonly internalUrl!: string;
  @Setting({
    env: 'ACERVO_DRAIN_SECONDS',
    default: 5,
    min: 0,
    max: 60,
    description: 'How long a process that received SIGTERM is not ready and still serves, so that its callers move',
  })
  readonly drainSeconds!: number;
  @Setting({
    env: 'ACERVO_INTERNAL_CA',
    default: null,
    description: 'File with the authorities that the certificates of the other services are checked against',
  })
  readonly internalCa!: string | null;
  @Setting({
    env: 'ACERVO_INTERNAL_TLS_CERTIFICATE',
    default: null,
    description: 'File with the certificate of the internal port, as PEM; with it that port speaks https alone',
  })
  readonly internalTlsCertificate!: string | null;
  @Setting({
    env: 'ACERVO_INTERNAL_TLS_KEY',
    default: null,
    description: 'File with the key of that certificate, as PEM',
  })
  readonly internalTlsKey!: string | null;
  @Setting({
    env: 'ACERVO_LOG_LEVEL',
    default: 'info',
    oneOf: ['debug', 'info', 'warn', 'error'],
    description: 'Least severe log line',
  })
  readonly logLevel!: string;
}
