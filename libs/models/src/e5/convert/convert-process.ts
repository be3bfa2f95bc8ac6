// convert-process.js SOURCE DIRECTORY: converts the weights, and prints its progress, one line a file.
import { convert } from './convert';

const [source = '', directory = ''] = process.argv.slice(2);

convert(source, directory, (file, done) => process.stdout.write(`${Math.round(done * 100)} % ${file}\n`)).catch(
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
