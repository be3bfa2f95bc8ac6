// First: a stop signal counts while the other modules are loaded.
import { stopSignal } from '@acervo/platform-service/stop-signal';
import 'reflect-metadata';
import { runService } from '@acervo/platform-service';
import { app } from './app.module';

runService(app, process.env, process.argv.slice(2), stopSignal).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
