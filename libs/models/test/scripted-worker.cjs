// Stands for the thread of a session: dies, waits or refuses as the text says. The shared buffer counts its lives and
// opens the gate.
const { parentPort, workerData } = require('node:worker_threads');

const [LIVES, GATE] = [0, 1];
const shared = new Int32Array(workerData.vocabulary);
const life = Atomics.add(shared, LIVES, 1) + 1;

if (workerData.precision === 'absent') throw new Error('no session');
parentPort.on('message', ({ text }) => {
  if (text.startsWith('dies ') && life <= Number(text.slice(5))) process.exit(1);
  if (text === 'waits') Atomics.wait(shared, GATE, 0);
  if (text === 'refused') parentPort.postMessage({ failure: 'too strange' });
  else parentPort.postMessage({ embedded: { vector: Float32Array.of(life), tokens: text.length } });
});
parentPort.postMessage({ ready: true });
