import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation';
import { repository } from './program';

/** The metrics that docs/metrics.md lists for a service: those of every start, and those of some engines only. */
export interface DocumentedMetrics {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

/** What a service published at one scrape. */
export interface PublishedMetrics {
  readonly names: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly series: number;
  readonly text: string;
}

export const documentedMetrics = (service: string): DocumentedMetrics => {
  const sections = readFileSync(join(repository, 'docs', 'metrics.md'), 'utf8').split(/^## /m);
  const wanted = ['Every service', service, 'The process'];
  const rows = sections
    .filter((section) => wanted.includes(section.split('\n', 1)[0] ?? ''))
    .flatMap((section) => [...section.matchAll(/^\| `(\w+)`.*$/gm)]);
  const namesWhere = (isConditional: boolean): ReadonlySet<string> =>
    new Set(rows.flatMap(([row, name]) => (row.includes('(with `') === isConditional ? [name ?? ''] : [])));
  return { always: namesWhere(false), sometimes: namesWhere(true) };
};

/** Scrapes one service of a running installation. */
export const publishedMetrics = async (
  { running }: Pick<Installation, 'running'>,
  service: string,
): Promise<PublishedMetrics> => {
  const answer = await fetch(`http://127.0.0.1:${running.internalPort}/${service}/metrics`);
  const text = await answer.text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return {
    names: new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '')),
    labels: new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label ?? '')),
    series: samples.length,
    text,
  };
};
