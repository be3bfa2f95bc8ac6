// The other side of the bench: answers the same over HTTP and over Kafka, in a process of its own.
import { createServer } from 'node:http';
import kafkajs from 'kafkajs';

const [broker, requests, replies] = process.argv.slice(2);
const answer = (text) => JSON.stringify({ ...JSON.parse(text), answered: true });

const http = createServer((request, response) => {
  let body = '';
  request.on('data', (data) => (body += data));
  request.on('end', () => response.end(answer(body)));
});
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));

const kafka = new kafkajs.Kafka({ clientId: 'responder', brokers: [broker], logLevel: kafkajs.logLevel.NOTHING });
const producer = kafka.producer();
const consumer = kafka.consumer({ groupId: `${requests}-responder`, maxWaitTimeInMs: 100 });
await producer.connect();
await consumer.connect();
await consumer.subscribe({ topic: requests });
const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
await consumer.run({
  eachMessage: async ({ message }) => {
    const messages = [{ key: message.key, value: answer(message.value.toString()) }];
    await producer.send({ topic: replies, acks: 1, messages });
  },
});
await joined;
process.send({ port: http.address().port });
