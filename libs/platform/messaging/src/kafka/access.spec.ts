import { AclOperationTypes } from 'kafkajs';
import { allEvents, services } from '@acervo/contracts';
import { accessOf } from './access';

const may = (service: (typeof services)[number], operation: AclOperationTypes): string[] =>
  accessOf(service, 'test.')
    .filter((entry) => entry.operation === operation)
    .map(({ resourceName }) => resourceName);

describe('the rights of a service at Kafka', () => {
  it.each(allEvents().map((event) => [event.topic, event] as const))(
    'only services that publish %s write it',
    (topic, { producer }) => {
      const writers = services.filter((service) => may(service, AclOperationTypes.WRITE).includes(`test.${topic}`));
      expect(writers).toEqual(producer === 'any' ? services : [producer]);
    },
  );

  it.each(services)('%s reads the topics that it listens to, in its own consumer group', (service) => {
    const topics = allEvents().flatMap(({ topic, subscribers }) => (subscribers.includes(service) ? [topic] : []));
    const expected = [...topics, service].map((name) => `test.${name}`);
    expect(may(service, AclOperationTypes.READ)).toEqual(expected);
  });

  it('each entry names the user of its service', () => {
    expect(new Set(accessOf('chat', 'test.').map(({ principal }) => principal))).toEqual(new Set(['User:chat']));
  });
});
