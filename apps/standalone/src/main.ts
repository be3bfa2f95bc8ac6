import 'reflect-metadata';
import { main } from './supervisor/program';

main(process.argv[2] ?? '{}', process.env).catch(async (error: unknown) => {
  const { explain } = await import('./supervisor/mistakes.js');
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
