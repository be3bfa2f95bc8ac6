import type { ServiceName } from '@acervo/contracts';

/** The topic of a service's dead letters. */
export const deadLetterTopic = (service: ServiceName): string => `dead_letter.${service}.v1`;
