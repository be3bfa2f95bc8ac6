import { auditRecorded, documentIndexed, documentIndexingFailed } from '@acervo/contracts';
import { On, subscriptionsOf } from '../src';
import { OtherEvents } from './support';

const nothing = (): Promise<void> => Promise.resolve();

class Indexed {
  readonly heard: string[] = [];

  @On(documentIndexed)
  indexed(): Promise<void> {
    this.heard.push('indexed');
    return nothing();
  }

  other(): void {}
}

class Failed {
  @On(documentIndexingFailed)
  failed(): Promise<void> {
    return nothing();
  }
}

class Audit {
  @On(auditRecorded)
  record(): Promise<void> {
    return nothing();
  }
}

describe('the subscriptions of a service', () => {
  it('the subscriptions of a service are its marked methods, by topic', () => {
    const found = subscriptionsOf('ingestion', [new Indexed(), new Failed(), new OtherEvents()]);
    expect([...found.keys()]).toEqual([
      'document.indexed.v1',
      'document.indexing_failed.v1',
      'embedding_space.live.v1',
      'plan.assigned.v1',
      'space.deleted.v1',
      'user.deletion_started.v1',
    ]);
  });

  it('a subscription keeps the provider of its method', async () => {
    const provider = new Indexed();
    const handle = subscriptionsOf('ingestion', [provider, new Failed(), new OtherEvents()]).get(
      documentIndexed.topic,
    )?.handle;
    await Reflect.apply(handle ?? nothing, undefined, []);
    expect(provider.heard).toEqual(['indexed']);
  });

  it('an event without a handler is refused', () => {
    expect(() => subscriptionsOf('ingestion', [new Indexed(), new OtherEvents()])).toThrow(
      'ingestion does not listen to document.indexing_failed.v1; add @On to a method of a provider.',
    );
  });

  it('an event with two handlers is refused', () => {
    expect(() => subscriptionsOf('ingestion', [new Indexed(), new Failed(), new Indexed(), new OtherEvents()])).toThrow(
      'document.indexed.v1 has two handlers in ingestion.',
    );
  });

  it('a handler for an event without subscription is refused', () => {
    expect(() => subscriptionsOf('ingestion', [new Indexed(), new Failed(), new OtherEvents(), new Audit()])).toThrow(
      'ingestion listens to audit.recorded.v1 and is not among its subscribers.',
    );
  });

  it('a service without subscriptions needs no handlers', () => {
    expect(subscriptionsOf('gateway', []).size).toBe(0);
  });
});
