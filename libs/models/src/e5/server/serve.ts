// serve.js DIRECTORY PORT [HOST]: serves the converted model in DIRECTORY through the OpenAI embeddings API. As a child
// process it reports to its parent, and ends with it.
import { availableParallelism } from 'node:os';
import { E5 } from '../../embedder-settings';
import { E5Sessions } from '../e5-sessions';
import type { ServerReport } from './report';
import { embeddingsServer } from './embeddings-server';

const [directory = '', port = '8080', host = '127.0.0.1'] = process.argv.slice(2);

const report = (message: ServerReport, sent: () => void = () => undefined): void => {
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(message)}\n`, sent);
  else process.send(message, sent);
};

const fail = (error: unknown): void =>
  report({ failed: error instanceof Error ? error.message : String(error) }, () => process.exit(1));

const run = async (): Promise<void> => {
  const onEnd = (error: Error): void => report({ threadEnded: error.message });
  const sessions = await E5Sessions.open({ directory, cores: availableParallelism(), onEnd });
  const embedder = Object.assign(sessions, { model: E5.model });
  const server = embeddingsServer(embedder);
  const stop = (): void => {
    server.close();
    // A regular exit would end threads within a run, which ONNX Runtime answers by aborting the process.
    void sessions.close().then(() => process.exit());
  };
  process.on('SIGTERM', stop);
  // The parent handles Ctrl-C, and ends this process afterwards.
  process.on('SIGINT', () => process.send === undefined && stop());
  server.on('error', fail);
  server.listen(Number(port), host, () =>
    report({ ready: true, precision: sessions.precision, cosine: sessions.cosine }),
  );
};

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
run().catch(fail);
