import nx from '@nx/eslint-plugin';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Who may import whom. A layer that is missing here may import nothing, and a project without a layer fails a check. */
const mayImport = {
  contract: ['contract'],
  platform: ['contract', 'platform'],
  service: ['contract', 'platform'],
  app: ['contract', 'platform', 'service'],
  composition: ['contract', 'platform', 'service', 'app', 'composition'],
};

/** Clients that see every group, and the one folder each that holds them and binds what they do to a group. */
const clients = {
  '@opensearch-project/*': 'libs/retrieval/src/legs/opensearch',
  '@aws-sdk/*': 'libs/platform/object-store/src/s3',
  ioredis: 'libs/platform/redis/src',
  kafkajs: 'libs/platform/messaging/src/kafka',
};

/** @param held the client that may be imported here */
const withoutClients = (client) => {
  const group = Object.keys(clients).filter((name) => name !== client);
  const message = 'Engines are asked through their port, which names the group; only its adapter holds a client.';
  return { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] };
};

export default defineConfig(
  { ignores: ['**/dist/**', '**/jest.config.js', '**/jest.stack.config.js'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['libs/**/src/**/*.ts', 'apps/**/src/**/*.ts', 'src/**/*.ts'],
    ignores: ['**/main.ts', '**/*.spec.ts', '**/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Settings are read once, by the configuration class of the app.',
        },
      ],
    },
  },
  { files: ['**/*.ts'], rules: withoutClients() },
  ...Object.entries(clients).map(([client, folder]) => ({
    files: [`${folder}/**/*.ts`],
    rules: withoutClients(client),
  })),
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          banTransitiveDependencies: true,
          depConstraints: Object.entries(mayImport).map(([layer, layers]) => ({
            sourceTag: `layer:${layer}`,
            onlyDependOnLibsWithTags: layers.map((name) => `layer:${name}`),
          })),
        },
      ],
    },
  },
);
