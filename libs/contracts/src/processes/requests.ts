import { processPriority, type ProcessPriority, processType, type ProcessType } from '@acervo/public-mapping';
import { event } from '../events';
import { Address, Code, OneOf, Text, Uuid } from '../fields';

/** Work that needs a person. A subject, such as a folder or a support request, has one open process of its type. */
export class ProcessRequest {
  @OneOf(processType, { description: 'What needs a person' }) readonly processType!: ProcessType;
  @Text({ min: 1, max: 200, description: 'What it is about, unique in its kind' }) readonly subject!: string;
  @Text({ min: 1, max: 200, description: 'Title, in English' }) readonly name!: string;
  @Text({ max: 4_000, description: 'What is to be done' }) readonly description!: string;
  @OneOf(processPriority, { description: 'How urgent it is' }) readonly priority!: ProcessPriority;
  @Code({
    names: 'new process',
    optional: true,
    description: 'Code of the process; one of the group follows without it',
  })
  readonly code?: string;
  @Uuid({ optional: true, description: 'Who asked for it; the program without it' }) readonly userId?: string;
  @Address({ names: 'user', optional: true, description: 'Code of that user' }) readonly userCode?: string;
  @Code({ names: 'entity', optional: true, description: 'The entity that it concerns; the whole group without it' })
  readonly entityCode?: string;
}

export const processRequested = event({
  topic: 'process.requested.v1',
  producer: 'any',
  subscribers: ['operations'],
  payload: ProcessRequest,
  key: ({ processType: type, subject }) => `${type}:${subject}`,
});
