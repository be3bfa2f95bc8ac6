// Apache Kafka in KRaft mode, broker and controller in one process, from the jars of its own release.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jars } from '../download.mjs';
import { findJava } from '../find.mjs';
import { converse } from '../net.mjs';

const VERSION = '4.3.1';
const JARS = '929899bc0205a413e019af82b4ea9cd72ca842beec55d2912c6e09780eb2d3d6';
const PROJECT = fileURLToPath(new URL('../java/kafka-pom.xml', import.meta.url));
/** Any name of 22 letters works; Kafka refuses random names that begin with a dash. */
const CLUSTER = 'acervoStackOneNodeOnly';

/** May do everything; the services have users of their own. */
const USER = 'acervo';
/** The name in the certificate by which the controller knows its node. */
const NODE = 'CN=Acervo engines';
const COMPOSE = fileURLToPath(new URL('../../../docker/compose.yaml', import.meta.url));
const LOGIN = 'org.apache.kafka.common.security.scram.ScramLoginModule required';

const properties = ({ directory, ports, secrets, tls }) => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.quorum.voters': `1@127.0.0.1:${ports.kafkaController}`,
  listeners: `CLIENTS://127.0.0.1:${ports.kafka},CONTROLLER://127.0.0.1:${ports.kafkaController}`,
  'advertised.listeners': `CLIENTS://127.0.0.1:${ports.kafka}`,
  // The controller of the one node is asked over TLS as well, and knows its node by the certificate.
  'listener.security.protocol.map': 'CLIENTS:SASL_SSL,CONTROLLER:SSL',
  'inter.broker.listener.name': 'CLIENTS',
  'controller.listener.names': 'CONTROLLER',
  'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'sasl.mechanism.inter.broker.protocol': 'SCRAM-SHA-512',
  'listener.name.clients.scram-sha-512.sasl.jaas.config': `${LOGIN} username="${USER}" password="${secrets.kafka}";`,
  'listener.name.controller.ssl.client.auth': 'required',
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': `User:${USER};User:${NODE}`,
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': tls.keystore,
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': tls.ca,
  'log.dirs': join(directory, 'data'),
  'auto.create.topics.enable': false,
  // One node: internal topics with the usual three replicas could not be created.
  'offsets.topic.replication.factor': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'default.replication.factor': 1,
  'min.insync.replicas': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.num.partitions': 4,
  'num.partitions': 3,
  'group.initial.rebalance.delay.ms': 0,
  'group.min.session.timeout.ms': 1_000,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'background.threads': 2,
  'log.cleaner.dedupe.buffer.size': 10_485_760,
  'log.segment.bytes': 67_108_864,
  // A killed broker waits for the end of its old session before it rejoins.
  'broker.session.timeout.ms': 2_000,
  'broker.heartbeat.interval.ms': 500,
});

/** The passwords of services by the names of their secrets in the compose file; suites derive the same ones. */
const servicePasswords = ({ kafka: secret }) =>
  Object.fromEntries(
    [...readFileSync(COMPOSE, 'utf8').matchAll(/^ {2}(kafka_\w+): \{ file/gm)].map(([, name]) => [
      name,
      createHmac('sha256', secret).update(name).digest('hex').slice(0, 32),
    ]),
  );

const serviceUsers = (secrets) =>
  Object.entries(servicePasswords(secrets)).map(([name, password]) => ({
    name: name.slice('kafka_'.length),
    password,
  }));

/** Formats the empty directory of a node with its users. Java reads the passwords from a file, not from its arguments. */
const format = ({ directory, secrets }, java, options, file) => {
  const users = [{ name: USER, password: secrets.kafka }, ...serviceUsers(secrets)].flatMap(({ name, password }) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ]);
  const args = [...options, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', file, ...users];
  const list = join(directory, 'format');
  writeFileSync(list, args.map((argument) => `"${argument.replaceAll('\\', '\\\\')}"\n`).join(''), { mode: 0o600 });
  try {
    execFileSync(java, [`@${list}`], { stdio: 'pipe' });
  } finally {
    rmSync(list);
  }
};

const JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];
const LOGS = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-Dorg.slf4j.simpleLogger.showDateTime=true'];

export const kafka = {
  name: 'kafka',
  what: `Apache Kafka ${VERSION}`,
  ports: ['kafka', 'kafkaController'],
  secrets: ['kafka'],
  derived: servicePasswords,
  install: (print) => {
    findJava(17);
    return jars(`kafka-${VERSION}`, PROJECT, JARS, print);
  },
  command: (context) => {
    const { installed, directory } = context;
    const { java } = findJava(17);
    const file = join(directory, 'server.properties');
    const lines = Object.entries(properties(context)).map(([name, value]) => `${name}=${value}\n`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, lines.join(''), { mode: 0o600 });
    const options = [...JVM, ...LOGS, '-cp', join(installed, 'lib', '*')];
    if (!existsSync(join(directory, 'data', 'meta.properties'))) format(context, java, options, file);
    return { command: java, args: [...options, 'kafka.Kafka', file] };
  },
  answers: ({ ports }) => converse(ports.kafka),
  variables: ({ ports, secrets, tls }) => ({
    ACERVO_EVENTS: 'kafka',
    ACERVO_KAFKA_BROKERS: `127.0.0.1:${ports.kafka}`,
    ACERVO_KAFKA_TLS: 'true',
    ACERVO_KAFKA_CA: tls.ca,
    ACERVO_KAFKA_USER: USER,
    ACERVO_KAFKA_PASSWORD: secrets.kafka,
  }),
};
