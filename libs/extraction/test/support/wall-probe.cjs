// Runs where a reader runs and tries to get out; says what came of each attempt.
const { sealProcess } = require('../../dist/sandbox/seal.js');

if (process.argv[2] === 'sealed') sealProcess();

const fs = require('node:fs');

const attempts = {
  'read a file of the system': () => fs.readFileSync('/etc/hostname'),
  'list a folder': () => fs.readdirSync('/'),
  'write a file': () => fs.writeFileSync(`${__dirname}/written-by-probe`, 'x'),
  'start a program': () => require('node:child_process').execFileSync('/bin/true'),
  'start a thread': () => new (require('node:worker_threads').Worker)('0', { eval: true }),
  'make code of a text': () => Function('return 1')(),
  'connect to a server': () =>
    new Promise((resolve, reject) => {
      const socket = require('node:net').connect(Number(process.argv[3]), '127.0.0.1', resolve);
      socket.once('error', reject);
    }),
  'ask for a page': async () =>
    (await import('node:http')).get(`http://127.0.0.1:${process.argv[3]}/`).on('error', () => 0),
  'look up a name': () => require('node:dns').promises.lookup('localhost'),
  fetch: () => fetch(`http://127.0.0.1:${process.argv[3]}/`),
};

const tryAll = async () => {
  const outcomes = { environment: Object.keys(process.env).filter((name) => name !== 'NODE_CHANNEL_FD') };
  for (const [name, attempt] of Object.entries(attempts))
    outcomes[name] = await Promise.resolve()
      .then(attempt)
      .then(
        () => 'done',
        (error) => error.code ?? error.name,
      );
  return outcomes;
};

void tryAll().then((outcomes) => process.send(outcomes, () => process.exit(0)));
