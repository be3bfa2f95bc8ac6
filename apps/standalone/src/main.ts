import 'reflect-metadata';
import { explain, main } from '@acervo/standalone';

main(process.argv[2] ?? '{}', process.env).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
