import { describeOnStack } from '@acervo/platform-testing';
import { describeDelivery } from './delivery.behaviour';
import { kafkaWay } from './kafka-way';
import { describeTraces } from './traces.behaviour';
import { describeWaiting } from './waiting-events.behaviour';

describeOnStack('through Kafka', ['kafka', 'postgres'], () => {
  describeDelivery('Kafka', kafkaWay);
  describeWaiting('Kafka', kafkaWay);
  describeTraces('Kafka', kafkaWay);
});
