// An API server of Kubernetes with its etcd on loopback, for as long as something is asked of it. No controllers run.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../stack/net.mjs';

const [WAIT_MS, STOP_MS] = [90_000, 10_000];
const ADMINISTRATOR = 'system:masters';

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve));

/** The API server hangs at its end without etcd: it is stopped first. */
const stop = async (children) => {
  for (const child of children.reverse()) {
    child.kill('SIGTERM');
    await Promise.race([ended(child), pause(STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }
};

/** Requests as an administrator: `ask(method, path, body, type)` answers status, warnings and the parsed body. */
class Client {
  constructor(port, ca, token) {
    Object.assign(this, { port, ca, token });
  }

  ask(method, path, body, type = 'application/json') {
    const { port, ca, token } = this;
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, ca: readFileSync(ca), headers }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const isJson = (answer.headers['content-type'] ?? '').includes('json');
          const warnings = [answer.headers.warning ?? []].flat();
          resolve({ status: answer.statusCode, warnings, body: isJson ? JSON.parse(text) : text });
        });
      });
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** @throws with what the server logged, where it does not become ready in time */
const ready = async (client, server, logged) => {
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await client.ask('GET', '/readyz').catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(200);
  }
  throw new Error(`kube-apiserver does not become ready: ${logged.slice(-5).join('\n')}`);
};

const start = (program, args, children, logged) => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  child.stderr.setEncoding('utf8').on('data', (text) => logged.push(text.trim()));
  return child;
};

/** Writes a key for tokens of service accounts, and the administrator's token. */
const credentialsIn = (folder) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"${ADMINISTRATOR}"\n`, { mode: 0o600 });
  return token;
};

const options = (settings) => Object.entries(settings).map(([name, value]) => `--${name}=${value}`);

const etcdOptions = (folder, clients, peers) =>
  options({
    'data-dir': join(folder, 'etcd'),
    'log-level': 'error',
    'listen-client-urls': `http://127.0.0.1:${clients}`,
    'advertise-client-urls': `http://127.0.0.1:${clients}`,
    'listen-peer-urls': `http://127.0.0.1:${peers}`,
  });

const serverOptions = (folder, port, etcd) =>
  options({
    'etcd-servers': `http://127.0.0.1:${etcd}`,
    'bind-address': '127.0.0.1',
    'endpoint-reconciler-type': 'none',
    'secure-port': port,
    'cert-dir': folder,
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(folder, 'accounts.key'),
    'service-account-signing-key-file': join(folder, 'accounts.key'),
    'service-cluster-ip-range': '10.0.0.0/24',
  });

/** Works with a running API server. @param programs the paths of `etcd` and `kube-apiserver` */
export const withApiServer = async (programs, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-kubernetes-'));
  const [children, logged] = [[], []];
  try {
    const [port, clients, peers] = [await freePort(), await freePort(), await freePort()];
    const token = credentialsIn(folder);
    start(programs.etcd, etcdOptions(folder, clients, peers), children, logged);
    const server = start(programs['kube-apiserver'], serverOptions(folder, port, clients), children, logged);
    const client = new Client(port, join(folder, 'apiserver.crt'), token);
    await ready(client, server, logged);
    return await work(client);
  } finally {
    await stop(children);
    rmSync(folder, { recursive: true, force: true });
  }
};
