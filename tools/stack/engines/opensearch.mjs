// OpenSearch, one node from the jars of its release, started by a class of this repository.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../lib/workspace.mjs';
import { jars, once } from '../download.mjs';
import { findJava } from '../find.mjs';
import { answersSecurely } from '../net.mjs';

const VERSION = '3.8.0';
const JARS = '27fa2bd49d4300c9544f0e73164a38c42adf38d64b2c431ca5b4785901d59e21';
const PROJECT = fileURLToPath(new URL('../java/opensearch-pom.xml', import.meta.url));
const SOURCES = ['StackNode', 'GuardPlugin'].map((name) =>
  fileURLToPath(new URL(`../java/${name}.java`, import.meta.url)),
);
const USER = 'acervo';

const JVM = [
  '-Xms512m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xshare:auto',
  '-XX:-UsePerfData',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:+IgnoreUnrecognizedVMOptions',
  '-Djava.awt.headless=true',
  '-Dfile.encoding=UTF-8',
  '-Dlog4j2.disable.jmx=true',
  '-Dlog4j.shutdownHookEnabled=false',
  '-Dio.netty.noUnsafe=true',
  '-Dio.netty.noKeySetOptimization=true',
  '-Dio.netty.recycler.maxCapacityPerThread=0',
  '--add-modules=jdk.incubator.vector',
  '--enable-native-access=ALL-UNNAMED',
];

const need = () => findJava(21, { compiler: true });

/** The compiled classes; each version of their sources is compiled once. */
const compiled = (lib, print) => {
  const text = createHash('sha256')
    .update(SOURCES.map((file) => readFileSync(file, 'utf8')).join('\n'))
    .digest('hex')
    .slice(0, 12);
  return once(`opensearch-node-${VERSION}-${text}`, print, (directory) =>
    run(need().javac, ['--release', '21', '-cp', join(lib, '*'), '-d', directory, ...SOURCES]),
  );
};

export const opensearch = {
  name: 'opensearch',
  what: `OpenSearch ${VERSION}`,
  ports: ['opensearch', 'opensearchTransport'],
  secrets: ['opensearch'],
  install: async (print) => {
    need();
    const lib = join(await jars(`opensearch-${VERSION}`, PROJECT, JARS, print), 'lib');
    return { lib, classes: await compiled(lib, print) };
  },
  command: ({ installed: { lib, classes }, directory, ports, secrets, tls }) => ({
    command: need().java,
    args: [
      ...JVM,
      '-cp',
      `${classes}:${join(lib, '*')}`,
      'StackNode',
      directory,
      String(ports.opensearch),
      String(ports.opensearchTransport),
    ],
    env: { ACERVO_STACK_TLS: tls.directory, ACERVO_STACK_PASSWORD: secrets.opensearch },
  }),
  answers: ({ ports, secrets, tls }) =>
    answersSecurely(`https://127.0.0.1:${ports.opensearch}/_cluster/health?wait_for_status=yellow&timeout=1s`, {
      ca: tls.ca,
      login: `${USER}:${secrets.opensearch}`,
    }),
  variables: ({ ports, secrets, tls }) => ({
    ACERVO_LEXICAL: 'opensearch',
    ACERVO_OPENSEARCH_URL: `https://127.0.0.1:${ports.opensearch}`,
    ACERVO_OPENSEARCH_USER: USER,
    ACERVO_OPENSEARCH_PASSWORD: secrets.opensearch,
    ACERVO_OPENSEARCH_CA: tls.ca,
    // A single node has no replicas.
    ACERVO_OPENSEARCH_REPLICAS: '0',
  }),
};
