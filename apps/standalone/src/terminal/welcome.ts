import type { ProvisionedGroup } from '@acervo/contracts';
import type { Print } from '../folders/ingest-folder';

/** Prints an API key that this start created: it cannot be shown again. */
export const printKey = (print: Print, group: ProvisionedGroup, apiKey: string | null): void => {
  if (apiKey === null) return;
  print(
    group.created
      ? `Administrator ${group.administrator}, group ${group.groupCode}.`
      : 'A new API key for the administrator.',
  );
  print(`API key, shown this once:  ${apiKey}`);
};

/** Content of the message of a start. */
export interface Welcomed {
  readonly port: number;
  readonly group: ProvisionedGroup;
  readonly apiKey: string | null;
  /** Requests a minute of one key. */
  readonly keyRate: number;
}

/** Prints the message of a start that is ready. */
export const printWelcome = (print: Print, { port, group, apiKey, keyRate }: Welcomed): void => {
  print('');
  print(`Acervo is ready at http://localhost:${port} (reference: http://localhost:${port}/docs)`);
  printKey(print, group, apiKey);
  print(`Search in a browser: http://localhost:${port}/ asks for the key once. Or try:`);
  print(`  curl -s http://localhost:${port}/v1/documents/search -H 'Authorization: Bearer ${apiKey ?? 'YOUR_KEY'}' \\`);
  print(`    -H 'Content-Type: application/json' -d '{"query": "agua", "limit": 3}'`);
  print(
    `Each key may send ${keyRate.toLocaleString('en-US')} requests a minute; ACERVO_KEY_RATE changes that (docs/configuration.md).`,
  );
  print('');
};
