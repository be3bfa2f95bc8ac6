// A program that reads files and is killed: says which processes it has once both are reading.
const { ExtractionPool } = require('../../dist/index.js');

const pool = new ExtractionPool();
const endless = { name: 'a.csv', bytes: Buffer.from('uno;dos;tres\n'.repeat(2_000_000)) };
void pool.extract(endless).catch(() => undefined);
void pool.extract(endless).catch(() => undefined);
setTimeout(() => process.send(pool.pids), 700);
