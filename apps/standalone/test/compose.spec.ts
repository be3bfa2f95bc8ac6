import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { services } from '@acervo/contracts';
import { loginRoles, RELAY_ROLE } from '@acervo/platform-database';
import { installedServices } from '../src';

interface Program {
  readonly environment: Readonly<Record<string, unknown>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly build?: unknown;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

const text = readFileSync(join(__dirname, '..', '..', '..', 'docker', 'compose.yaml'), 'utf8');
const file = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Program | undefined>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const IS_FILE = /_FILE$/;
const MOUNTED = '/run/secrets/';
const programs = installedServices.map(({ name, settings }) => {
  const { environment = {}, secrets = [], volumes = [] } = file.services[name] ?? {};
  return { name, settings, environment, secrets, volumes };
});

/** The key of the chat model: no service owns it. */
const MODEL_KEY = 'chat_key';

describe('the compose file', () => {
  it('built images are read-only and unprivileged; auth alone writes mails', () => {
    const built = Object.entries(file.services).filter(([, program]) => program?.build !== undefined);
    expect(built.map(([name]) => name).sort()).toEqual(
      [...installedServices.map(({ name }) => name), 'migrate', 'embedder'].sort(),
    );
    for (const [, program] of built)
      expect(program).toMatchObject({
        ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      });
    const mounts = built.flatMap(([, program]) => program?.volumes ?? []);
    expect(mounts.filter((mount) => !mount.endsWith(':ro'))).toEqual(['mail:/var/lib/acervo/mail']);
    expect(file.services['auth']?.volumes).toContain('mail:/var/lib/acervo/mail');
  });

  it.each(programs)('$name receives no setting that it does not read', ({ environment, settings }) => {
    const documented = new Set(settings.flatMap(({ env, secret }) => (secret === true ? [env, `${env}_FILE`] : [env])));
    expect(Object.keys(environment).filter((name) => !documented.has(name))).toEqual([]);
  });

  it.each(programs)('$name receives exactly the secrets that its settings name', ({ environment, secrets }) => {
    const named = Object.entries(environment).flatMap(([name, value]) =>
      IS_FILE.test(name) || String(value).startsWith(MOUNTED) ? [String(value).replace(MOUNTED, '')] : [],
    );
    expect(named.length).toBeGreaterThan(0);
    expect([...secrets].sort()).toEqual([...new Set(named)].sort());
  });

  it.each(programs)('$name receives no secret of another service', ({ name, secrets }) => {
    const others = services.filter((other) => other !== name);
    const ofServices = secrets.filter((secret) => secret !== MODEL_KEY);
    expect(ofServices.filter((secret) => others.some((other) => secret.startsWith(`${other}_`)))).toEqual([]);
  });

  it('owner roles reach retrieval and the migrations only', () => {
    const owners = programs.flatMap(({ secrets }) => secrets.filter((secret) => secret.endsWith('_owner')));
    expect(owners).toEqual(['retrieval_owner']);
    // No password of the role that reads every outbox: `migrate` takes the schemas from it.
    const roles = loginRoles().filter((role) => role !== RELAY_ROLE);
    expect([...(file.services['migrate']?.secrets ?? [])].sort()).toEqual(
      // It also makes the topics of Kafka and the rights on them.
      ['postgres', 'kafka', 'tls_ca', ...roles].sort(),
    );
  });

  it('each secret is mounted from a file of its name', () => {
    const mounts = Object.values(file.services).flatMap((program) => program?.volumes ?? []);
    expect(mounts.filter((mount) => mount.includes('/run/'))).toEqual([]);
    const used = new Set(Object.values(file.services).flatMap((program) => program?.secrets ?? []));
    expect(Object.keys(file.secrets).sort()).toEqual([...used].sort());
    for (const [name, { file: path }] of Object.entries(file.secrets)) expect(path.endsWith(`/${name}`)).toBe(true);
  });
});
