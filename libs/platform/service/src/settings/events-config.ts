import { Setting } from '@acervo/platform-config';
import type { KafkaSettings } from '@acervo/platform-messaging';
import { KafkaConfig, kafkaSettings } from './kafka-config';

/** The transport of a service's events. */
export class EventsConfig extends KafkaConfig {
  @Setting({
    env: 'ACERVO_EVENTS',
    explicit: 'kafka',
    default: 'embedded',
    oneOf: ['embedded', 'kafka'],
    description: 'embedded: the program that starts all services on one machine carries them; kafka: each service does',
  })
  readonly events!: string;
  @Setting({
    env: 'ACERVO_EVENT_KEY',
    default: '',
    secret: true,
    description: 'Private key that the service signs its events with (P-256, PEM); used with Kafka',
  })
  readonly eventKey!: string;
  @Setting({
    env: 'ACERVO_EVENT_KEYS',
    default: null,
    description:
      'File with the public key of each service, a line each; an event that none of its producer has signed is dropped',
  })
  readonly eventKeys!: string | null;
  @Setting({
    env: 'ACERVO_EVENTS_UNSIGNED',
    default: false,
    description: 'Accept events without a signature, for as long as programs run that do not sign',
  })
  readonly eventsUnsigned!: boolean;
  @Setting({
    env: 'ACERVO_DATABASE_RELAY_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that takes events from the outbox of the service; used with Kafka',
  })
  readonly relayPassword!: string;
}

/** The settings of a service, with the keys of its events. */
export const eventSettings = (service: string, config: EventsConfig): KafkaSettings => ({
  ...kafkaSettings(service, config),
  signatures: { key: config.eventKey, keys: config.eventKeys, unsigned: config.eventsUnsigned },
});
