import type { ProvisionedGroup } from '@acervo/contracts';
import type { Say } from './intake';

/** Shows a key that was made at this start: nobody can show it again. */
export const tellKey = (say: Say, group: ProvisionedGroup, apiKey: string | null): void => {
  if (apiKey === null) return;
  say(
    group.created
      ? `Administrator ${group.administrator}, group ${group.groupCode}.`
      : 'A new API key for the administrator.',
  );
  say(`API key, shown this once:  ${apiKey}`);
};

/** What a start says once it answers. */
export const greet = (
  say: Say,
  { port, group, apiKey }: { port: number; group: ProvisionedGroup; apiKey: string | null },
): void => {
  say('');
  say(`Acervo is ready at http://localhost:${port} (reference: http://localhost:${port}/docs)`);
  tellKey(say, group, apiKey);
  say(`Search in a browser: http://localhost:${port}/ takes the key once. Or try:`);
  say(`  curl -s http://localhost:${port}/v1/documents/search -H 'Authorization: Bearer ${apiKey ?? 'YOUR_KEY'}' \\`);
  say(`    -H 'Content-Type: application/json' -d '{"query": "agua", "limit": 3}'`);
  say('');
};
