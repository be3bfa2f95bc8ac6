import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HASHING } from '@acervo/models';
import { startEnvironment } from '../kernel/options';
import { installedServices } from '../kernel/service-list';
import { DataDirectory } from '../resources/data-directory';
import { environmentOf } from './environment';

const connection = (user: string) => ({ host: '127.0.0.1', port: 1, database: 'acervo', user, password: user, max: 1 });

describe('the environment of a service on this machine', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-environment-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const receivers = (variable: string): readonly string[] => {
    const dependencies = {
      ...{ database: { connection }, directory: DataDirectory.open(join(place, 'data')), publicPort: 8080 },
      ...{
        start: startEnvironment({
          ...{ ACERVO_SMTP_URL: 'smtp://mail.test', ACERVO_RELEASE_TOKEN: 'publishes' },
          ...{ ACERVO_CHAT_URL: 'http://model.test', ACERVO_CHAT_KEY: 'pays', ACERVO_CHAT_MODEL: 'small' },
          ...{ ACERVO_AGENT_SECONDS: '30' },
        }),
        internalUrl: 'http://127.0.0.1:1',
      },
      embedder: { target: HASHING, before: null },
    };
    return installedServices.map(({ name }) => name).filter((name) => variable in environmentOf(name, dependencies));
  };

  it.each([
    ['ACERVO_DATABASE_DIRECTORY_PASSWORD', ['auth']],
    ['ACERVO_DATABASE_CATALOGUE_PASSWORD', ['auth']],
    ['ACERVO_SMTP_URL', ['auth']],
    ['ACERVO_MAIL_DIRECTORY', ['auth']],
    ['ACERVO_KEPT_DIRECTORY', ['ingestion']],
    ['ACERVO_AUDIT_KEY', ['operations']],
    ['ACERVO_RELEASE_TOKEN', ['gateway']],
    ['ACERVO_CHAT_URL', ['ingestion', 'chat']],
    ['ACERVO_CHAT_KEY', ['ingestion', 'chat']],
    ['ACERVO_CHAT_MODEL', ['ingestion', 'operations', 'chat']],
    ['ACERVO_AGENT_SECONDS', ['chat']],
    ['ACERVO_KEY_PEPPER', ['auth']],
    ['ACERVO_OBJECTS_DIRECTORY', ['retrieval', 'ingestion', 'operations']],
    ['ACERVO_DATABASE_APP_PASSWORD', installedServices.map(({ name }) => name)],
  ])('%s reaches the services that read it alone', (variable, services) => {
    expect(receivers(variable)).toEqual(services);
  });
});
