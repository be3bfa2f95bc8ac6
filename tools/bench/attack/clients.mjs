// Clients without an account that hold what they can of one port, from a process of their own.
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

const ADDRESSES = 64;
/** A connection that ended is opened again after this time. */
const AGAIN_MS = 250;
/** How often a client that sends or reads slowly does so. */
const TRICKLE_MS = 5_000;
const PIPELINED = 16;
const LINE_END = '\r\n';

const head = (method, path, headers) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join(LINE_END);

const post = (path, headers) =>
  head('POST', path, ['Content-Type: application/json', 'Authorization: Bearer acv_none', ...headers]);

/** A body that is announced and arrives a byte at a time. */
const heldBody = ({ post: path }) => ({
  begin: (socket) => socket.write(post(path, ['Content-Length: 15000'])),
  trickle: (socket) => socket.write(' '),
});

/** A compressed body whose end never comes. */
const gzipBody = ({ post: path }) => {
  const bytes = gzipSync(Buffer.alloc(1_000_000)).subarray(0, 500);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${LINE_END}`), bytes, Buffer.from(LINE_END)]);
  const headers = ['Content-Encoding: gzip', 'Transfer-Encoding: chunked'];
  return {
    begin: (socket) => socket.write(Buffer.concat([Buffer.from(post(path, headers)), chunk])),
    trickle: (socket) => socket.write(`1${LINE_END} ${LINE_END}`),
  };
};

/** Asks for a large answer and takes a few bytes of it now and then. */
const slowReader = ({ get }, number) => ({
  begin: (socket) => {
    socket.pause();
    socket.write(head('GET', get[number % get.length], []));
  },
  trickle: (socket) => void socket.read(16),
});

/** Many requests at once, of which no answer is read. */
const pipelined = ({ get }, number) => ({
  begin: (socket) => {
    socket.pause();
    socket.write(head('GET', get[number % get.length], []).repeat(PIPELINED));
  },
});

/** Requests that end at every stage: before the first byte, in the headers, in the body, before the answer. */
const cut = ({ post: path }, number) => {
  const whole = `${post(path, ['Content-Length: 20'])}{"query":"una cosa"}`;
  const length = number % (whole.length + 1);
  return {
    begin: (socket) => {
      socket.write(whole.slice(0, length));
      setTimeout(() => socket.destroy(), 20 + (number % 50));
    },
  };
};

const KINDS = { heldBody, gzipBody, slowReader, pipelined, cut };

let [isOver, opened, index] = [false, 0, 0];
const sockets = new Set();

/** Keeps one connection of a kind open until the end. */
const keepOpen = (port, paths, kind) => {
  if (isOver) return;
  index += 1;
  const client = KINDS[kind](paths, index);
  const localAddress = `127.0.1.${1 + (index % ADDRESSES)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
    opened += 1;
    client.begin(socket);
  });
  const timer = setInterval(() => client.trickle?.(socket), TRICKLE_MS);
  sockets.add(socket);
  socket.on('error', () => undefined);
  if (kind !== 'slowReader' && kind !== 'pipelined') socket.resume();
  socket.once('close', () => {
    clearInterval(timer);
    sockets.delete(socket);
    setTimeout(() => keepOpen(port, paths, kind), AGAIN_MS);
  });
};

process.once('message', ({ port, paths, counts, seconds }) => {
  for (const [kind, count] of Object.entries(counts))
    for (let each = 0; each < count; each += 1) keepOpen(port, paths, kind);
  const timer = setInterval(() => process.send({ open: sockets.size }), 1_000);
  setTimeout(() => {
    isOver = true;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    process.send({ opened }, () => process.exit());
  }, seconds * 1_000);
});
