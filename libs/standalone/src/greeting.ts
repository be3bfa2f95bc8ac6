import type { ProvisionedGroup } from '@acervo/contracts';
import type { Say } from './intake';

/** What a start says once it answers. */
export const greet = (
  say: Say,
  { port, group, apiKey, created }: { port: number; group: ProvisionedGroup; apiKey: string | null; created: boolean },
): void => {
  say('');
  say(`Acervo is ready at http://localhost:${port} (reference: http://localhost:${port}/docs)`);
  if (apiKey !== null) {
    say(
      created
        ? `Administrator ${group.administrator}, group ${group.groupCode}.`
        : 'A new API key for the administrator.',
    );
    say(`API key, shown this once:  ${apiKey}`);
  }
  say(`Search in a browser: http://localhost:${port}/ takes the key once. Or try:`);
  say(`  curl -s http://localhost:${port}/v1/documents/search -H 'Authorization: Bearer ${apiKey ?? 'YOUR_KEY'}' \\`);
  say(`    -H 'Content-Type: application/json' -d '{"query": "agua", "limit": 3}'`);
  say('');
};
