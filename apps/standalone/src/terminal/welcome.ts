import type { ProvisionedGroup } from '@acervo/contracts';
import type { Print } from '../kernel/print';

const keyLines = (group: ProvisionedGroup, apiKey: string): string[] => [
  group.created
    ? `Administrator ${group.administrator}, group ${group.groupCode}.`
    : 'A new API key for the administrator.',
  `API key, shown this once:  ${apiKey}`,
];

/** Prints an API key that this start created: it cannot be shown again. */
export const printKey = (print: Print, group: ProvisionedGroup, apiKey: string | null): void => {
  if (apiKey !== null) print(keyLines(group, apiKey).join('\n'));
};

/** Content of the message of a start. */
export interface Welcomed {
  readonly port: number;
  readonly group: ProvisionedGroup;
  readonly apiKey: string | null;
  /** Requests a minute of one key. */
  readonly keyRate: number;
}

/** Prints the message of a start that is ready, in one write: a reader of the pipe gets the key with it. */
export const printWelcome = (print: Print, { port, group, apiKey, keyRate }: Welcomed): void => {
  const rate = keyRate.toLocaleString('en-US');
  const lines = [
    '',
    `Acervo is ready at http://localhost:${port} (reference: http://localhost:${port}/docs)`,
    ...(apiKey === null ? [] : keyLines(group, apiKey)),
    `Each key may send ${rate} requests a minute; ACERVO_KEY_RATE changes that (docs/configuration.md).`,
    `Search in a browser: http://localhost:${port}/ asks for the key once. Or try:`,
    `  curl -s http://localhost:${port}/v1/documents/search -H 'Authorization: Bearer ${apiKey ?? 'YOUR_KEY'}' \\`,
    `    -H 'Content-Type: application/json' -d '{"query": "agua", "limit": 3}'`,
    '',
  ];
  print(lines.join('\n'));
};
