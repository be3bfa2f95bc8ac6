import type { Kafka } from 'kafkajs';
import { openTlsServer, silent, type TlsServer } from '@acervo/platform-testing';
import { type KafkaSettings, openKafka } from './kafka-client';

describe('Kafka with TLS', () => {
  let server: TlsServer;
  beforeEach(async () => {
    server = await openTlsServer();
  });
  afterEach(() => server.close());

  /** A client with our settings, but for its patience. */
  const clientOf = (more: Partial<KafkaSettings>): Kafka => {
    const names = {
      clientId: 'test',
      prefix: 'test.',
      partitions: 1,
      replication: 1,
      user: 'acervo',
      password: 'secret',
    };
    const settings = { ...names, brokers: [`127.0.0.1:${server.port}`], ...more };
    return openKafka(settings, silent, { retries: 0 });
  };
  const visit = async (more: Partial<KafkaSettings>): Promise<void> => {
    const admin = clientOf(more).admin({ retry: { retries: 0 } });
    await expect(admin.connect()).rejects.toThrow();
    await admin.disconnect();
  };

  it('is told something, encrypted, when its certificate is vouched for by an authority that is named', async () => {
    await visit({ tls: true, ca: server.authority });
    expect(server.heard.encrypted).toBeGreaterThan(0);
    expect(server.heard.plain).toBe(0);
  });
  it('is told nothing when another authority is named, and nothing when none is', async () => {
    await visit({ tls: true, ca: server.stranger });
    await visit({ tls: true });
    expect(server.heard).toEqual({ encrypted: 0, plain: 0 });
  });
  it('is spoken to in the clear only where nobody asked for TLS', async () => {
    await visit({});
    expect(server.heard.encrypted).toBe(0);
    expect(server.heard.plain).toBeGreaterThan(0);
  });
});
