import 'reflect-metadata';
import { runService } from '@acervo/platform-service';
import { app } from './app.module';

runService(app, process.env, process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
