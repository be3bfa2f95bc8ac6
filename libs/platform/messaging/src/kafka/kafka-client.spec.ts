import type { Kafka } from 'kafkajs';
import { openTlsServer, silent, type TlsServer } from '@acervo/platform-testing';
import { type KafkaSettings, openKafka } from './kafka-client';

describe('Kafka with TLS', () => {
  let server: TlsServer;
  beforeEach(async () => {
    server = await openTlsServer();
  });
  afterEach(() => server.close());

  /** A client with the product's settings, but fewer retries. */
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

  it('Kafka with a certificate of a named authority receives encrypted data', async () => {
    await visit({ tls: true, ca: server.authority });
    expect(server.heard.encrypted).toBeGreaterThan(0);
    expect(server.heard.unencrypted).toBe(0);
  });
  it('Kafka with a certificate of an unknown authority receives nothing', async () => {
    await visit({ tls: true, ca: server.stranger });
    await visit({ tls: true });
    expect(server.heard).toEqual({ encrypted: 0, unencrypted: 0 });
  });
  it('plain text is used only where TLS is not configured', async () => {
    await visit({});
    expect(server.heard.encrypted).toBe(0);
    expect(server.heard.unencrypted).toBeGreaterThan(0);
  });
});
