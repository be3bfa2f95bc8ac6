import { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSProtocolError } from 'kafkajs';
import { isFinal, isTooLarge } from './kafka-errors';

const answer = (type: string, retriable: boolean): KafkaJSProtocolError =>
  new KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable }));
/** As the library gives up. */
const givenUp = (error: Error): Error =>
  Object.assign(new Error('given up'), { name: 'KafkaJSNumberOfRetriesExceeded', retriable: false, cause: error });
const inItsWords = (cause: Error): Error => Object.assign(new KafkaJSNonRetriableError('no'), { cause });

describe('an error of Kafka', () => {
  it.each([
    ['a message that is too large', answer('MESSAGE_TOO_LARGE', false)],
    ['a right that is missing', answer('TOPIC_AUTHORIZATION_FAILED', false)],
    ['the same in the words of the library', inItsWords(answer('POLICY_VIOLATION', false))],
    ['what the library cannot write down', new TypeError('The "string" argument must be of type string')],
  ])('is final when it is %s', (_name, error) => {
    expect(isFinal(error)).toBe(true);
  });
  it.each([
    ['nobody answers', new KafkaJSConnectionError('refused')],
    ['nobody answered however often', givenUp(new KafkaJSConnectionError('refused'))],
    ['the library gave up twice', givenUp(givenUp(answer('NOT_LEADER_FOR_PARTITION', true)))],
    [
      'the library waited for itself',
      Object.assign(new KafkaJSNonRetriableError('no'), { name: 'KafkaJSLockTimeout' }),
    ],
    ['a broker does not know why', answer('UNKNOWN', false)],
    ['it is not of Kafka', new Error('read ECONNRESET')],
  ])('passes when %s', (_name, error) => {
    expect(isFinal(error)).toBe(false);
  });
  it('is known for one of size in whatever it is wrapped', () => {
    const error = answer('MESSAGE_TOO_LARGE', false);
    for (const each of [error, givenUp(error), inItsWords(error)]) expect(isTooLarge(each)).toBe(true);
    expect(isTooLarge(givenUp(answer('NOT_ENOUGH_REPLICAS', true)))).toBe(false);
  });
});
