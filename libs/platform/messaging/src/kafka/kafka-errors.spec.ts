import { KafkaJSAggregateError, KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSProtocolError } from 'kafkajs';
import { answersIn, isFinal, isTooLarge, refusedTopics } from './kafka-errors';

const answer = (type: string, retriable: boolean): KafkaJSProtocolError =>
  new KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable }));
/** The error with which the library gives up. */
const givenUp = (error: Error): Error =>
  Object.assign(new Error('given up'), { name: 'KafkaJSNumberOfRetriesExceeded', retriable: false, cause: error });
const inItsWords = (cause: Error): Error => Object.assign(new KafkaJSNonRetriableError('no'), { cause });

describe('an error of Kafka', () => {
  it.each([
    ['a message that is too large', answer('MESSAGE_TOO_LARGE', false)],
    ['a missing permission', answer('TOPIC_AUTHORIZATION_FAILED', false)],
    ['a refusal that the library wraps', inItsWords(answer('POLICY_VIOLATION', false))],
    ['a message that the library cannot encode', new TypeError('The "string" argument must be of type string')],
  ])('an error is final when it is %s', (_name, error) => {
    expect(isFinal(error)).toBe(true);
  });
  it.each([
    ['no broker answers', new KafkaJSConnectionError('refused')],
    ['no broker answers any retry', givenUp(new KafkaJSConnectionError('refused'))],
    ['the library gave up twice', givenUp(givenUp(answer('NOT_LEADER_FOR_PARTITION', true)))],
    [
      'a lock of the library times out',
      Object.assign(new KafkaJSNonRetriableError('no'), { name: 'KafkaJSLockTimeout' }),
    ],
    ['a broker reports an unknown error', answer('UNKNOWN', false)],
    ['it comes from the network', new Error('read ECONNRESET')],
  ])('an error is retriable when %s', (_name, error) => {
    expect(isFinal(error)).toBe(false);
  });
  it('an error of size is recognised through any wrapping', () => {
    const error = answer('MESSAGE_TOO_LARGE', false);
    for (const each of [error, givenUp(error), inItsWords(error)]) expect(isTooLarge(each)).toBe(true);
    expect(isTooLarge(givenUp(answer('NOT_ENOUGH_REPLICAS', true)))).toBe(false);
  });
});

/** The result of creating topics. */
const making = (...parts: readonly [topic: string, type: string, retriable: boolean][]): Error =>
  new KafkaJSAggregateError(
    'Topic creation errors',
    parts.map(([topic, type, retriable]) => Object.assign(answer(type, retriable), { topic })),
  );

describe('the answer of a broker', () => {
  it('a broker answer is found through any wrapping', () => {
    expect(answersIn(givenUp(answer('NOT_CONTROLLER', true)))).toEqual(['NOT_CONTROLLER']);
    expect(answersIn(making(['a', 'NOT_CONTROLLER', true], ['b', 'NOT_CONTROLLER', true]))).toEqual(['NOT_CONTROLLER']);
    const wrongPassword = Object.assign(new KafkaJSNonRetriableError('SASL failed'), {
      name: 'KafkaJSSASLAuthenticationError',
    });
    expect(answersIn(wrongPassword)).toEqual(['SASL failed']);
    expect(answersIn(givenUp(new KafkaJSConnectionError('refused')))).toEqual([]);
  });
  it('finally refused topics are named', () => {
    const error = making(
      ['a', 'TOPIC_ALREADY_EXISTS', false],
      ['b', 'INVALID_REPLICATION_FACTOR', false],
      ['c', 'NOT_CONTROLLER', true],
      ['d', 'TOPIC_AUTHORIZATION_FAILED', false],
    );
    expect(refusedTopics(error)).toEqual(['b: INVALID_REPLICATION_FACTOR', 'd: TOPIC_AUTHORIZATION_FAILED']);
    expect(refusedTopics(answer('CLUSTER_AUTHORIZATION_FAILED', false))).toEqual([]);
    expect(refusedTopics(givenUp(new KafkaJSConnectionError('refused')))).toEqual([]);
  });
});
