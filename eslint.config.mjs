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
