type State = 'live' | 'missing' | 'deleted';

/** The expected state of one document. */
export interface ExpectedDocument {
  path: string;
  text: string;
  state: State;
  readonly id: number;
}

const grouped = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

/** The rules of the product on plain lists: the expected documents after a history of changes. */
export class Oracle {
  readonly documents: ExpectedDocument[] = [];
  private next = 1;

  get live(): ExpectedDocument[] {
    return this.documents.filter(({ state }) => state === 'live');
  }

  at(path: string): ExpectedDocument | undefined {
    return this.documents.find((each) => each.path === path);
  }

  /** A scan of these files, by path; it accepts any number of deletions. */
  scan(files: ReadonlyMap<string, string>): void {
    for (const [document, path] of this.moves(files)) document.path = path;
    for (const document of this.documents) {
      const text = files.get(document.path);
      if (text === undefined) {
        if (document.state === 'live') document.state = 'missing';
      } else if (document.state !== 'deleted' || text !== document.text) {
        Object.assign(document, { text, state: 'live' });
      }
    }
    for (const [path, text] of files)
      if (this.at(path) === undefined) this.documents.push({ path, text, state: 'live', id: this.next++ });
  }

  /** One missing document and one new file of equal bytes are a move; several of them are ambiguous. */
  private moves(files: ReadonlyMap<string, string>): [ExpectedDocument, string][] {
    const gone = grouped(
      this.documents.filter(({ path }) => !files.has(path)),
      ({ text }) => text,
    );
    const unknown = [...files.keys()].filter((path) => this.at(path) === undefined);
    return [...grouped(unknown, (path) => files.get(path) ?? '')].flatMap(([text, [path, ...more]]) => {
      const [document, ...others] = gone.get(text) ?? [];
      const isOne = document !== undefined && path !== undefined && more.length + others.length === 0;
      return isOne ? [[document, path] as [ExpectedDocument, string]] : [];
    });
  }
}
