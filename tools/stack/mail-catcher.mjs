// mail-catcher.mjs PORT DIRECTORY: accepts every mail and writes it to a file.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

const [port, directory] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
let mails = 0;

const keep = (text) => {
  mails += 1;
  const name = join(directory, `${Date.now()}-${String(mails).padStart(5, '0')}.eml`);
  writeFileSync(`${name}.part`, text, { mode: 0o600 });
  renameSync(`${name}.part`, name);
};

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: (_login, _session, done) => done(null, { user: 'anyone' }),
  onData: (stream, _session, done) => {
    const parts = [];
    stream.on('data', (part) => parts.push(part));
    stream.on('end', () => {
      keep(Buffer.concat(parts));
      done();
    });
  },
});
server.on('error', () => undefined);
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
