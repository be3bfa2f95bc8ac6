// An API server of Kubernetes with its etcd on loopback, for as long as something is asked of it. No controllers run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../stack/engine.mjs';
import { answersOk, freePort } from '../stack/net.mjs';

const ADMINISTRATOR = 'system:masters';

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

/** The engines of a server, in the order of their start; it hangs at its end without etcd, which is stopped last. */
const enginesOf = (programs, { folder, port, clients, peers, client }) => {
  const isReady = async () => (await client.ask('GET', '/readyz')).status === 200;
  return [
    {
      name: 'etcd',
      command: () => ({ command: programs.etcd, args: etcdOptions(folder, clients, peers) }),
      answers: () => answersOk(`http://127.0.0.1:${clients}/health`),
    },
    {
      name: 'kube-apiserver',
      command: () => ({ command: programs['kube-apiserver'], args: serverOptions(folder, port, clients) }),
      answers: isReady,
    },
  ].map((definition) => {
    const log = join(folder, `${definition.name}.log`);
    return new Engine(definition, { directory: join(folder, `of-${definition.name}`) }, log);
  });
};

/** Works with a running API server. @param programs the paths of `etcd` and `kube-apiserver` */
export const withApiServer = async (programs, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'acervo-kubernetes-'));
  const [port, clients, peers] = [await freePort(), await freePort(), await freePort()];
  const client = new Client(port, join(folder, 'apiserver.crt'), credentialsIn(folder));
  const engines = enginesOf(programs, { folder, port, clients, peers, client });
  try {
    for (const engine of engines) await engine.start();
    return await work(client);
  } finally {
    for (const engine of engines.toReversed()) await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
