/** Merges the metrics of several services: each family once, its HELP and TYPE lines first. */
export const mergeMetrics = (texts: readonly string[]): string => {
  const families = new Map<string, { about: string[]; samples: string[] }>();
  for (const text of texts) {
    let family = { about: [] as string[], samples: [] as string[] };
    for (const line of text.split('\n')) {
      const named = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
      if (named !== undefined) {
        family = families.get(named) ?? { about: [], samples: [] };
        families.set(named, family);
        if (!family.about.includes(line)) family.about.push(line);
      } else if (line !== '') family.samples.push(line);
    }
  }
  return [...families.values()].flatMap(({ about, samples }) => [...about, ...samples]).join('\n') + '\n';
};
