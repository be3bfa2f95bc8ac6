import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { IngestionProgress } from '@acervo/contracts';
import { figuresOf, Pace, together } from '@acervo/platform-admin';
import { barScreen, plainScreen, screenOn, type Terminal, wantsBar } from './screen';
import { barLine, duration, progressLine, scanLines, summaryOf } from './messages';

const progress = (more: Partial<IngestionProgress> = {}): IngestionProgress => ({
  counts: [
    { status: 'EXTRAIDO', documents: 3 },
    { status: 'NO_ENCONTRADO', documents: 2 },
    { status: 'VECTORIZADO', documents: 5 },
  ],
  waiting: 3,
  searchable: 5,
  chunks: 40,
  failures: [],
  ignored: [],
  notices: [],
  ...more,
});

/** A stream, optionally a terminal, that records its output. */
const stream = (isTTY: boolean): { readonly terminal: Terminal; written(): string } => {
  const parts: string[] = [];
  const through = new PassThrough();
  through.on('data', (part: Buffer) => parts.push(part.toString()));
  return {
    terminal: Object.assign(through, { isTTY, columns: 100 }) as object as Terminal,
    written: () => parts.join(''),
  };
};

describe('the pace of documents', () => {
  it('the pace counts the documents of the last minute', () => {
    const pace = new Pace();
    pace.note(0, 0);
    pace.note(50_000, 0);
    pace.note(70_000, 40);
    expect(pace.perSecond).toBe(2);
  });
  it('the pace is unknown at first, and without finished documents', () => {
    const pace = new Pace();
    expect(pace.perSecond).toBeNull();
    pace.note(0, 5);
    pace.note(1_000, 9);
    expect(pace.perSecond).toBeNull();
    pace.note(4_000, 5);
    expect(pace.perSecond).toBeNull();
  });
});

describe('progress as text', () => {
  it('progress counts documents with a file, and prints pace and duration', () => {
    expect(progressLine(figuresOf(progress(), 0.5))).toBe(
      '5 of 8 documents done, 0.5 documents/s, about 6 s left (3 extracted, 2 missing, 5 vectorized; 40 chunks searchable).',
    );
  });
  it('documents that are found by their words alone are counted apart', () => {
    expect(progressLine(figuresOf(progress({ searchable: 7 })))).toContain(
      '40 chunks searchable: 7 by words, 5 of them by meaning).',
    );
    const [line] = summaryOf(progress({ waiting: 0, searchable: 7 }));
    expect(line).toBe('Done: 7 of 8 documents searchable (7 by words, 5 of them by meaning), 40 chunks.');
  });
  it('unknown figures are not printed', () => {
    expect(progressLine(figuresOf(progress()))).toMatch(/^5 of 8 documents done \(3 extracted/);
  });
  it('durations are printed in seconds, minutes and hours', () => {
    expect([45, 89, 90, 3_600, 7_500].map(duration)).toEqual(['45 s', '89 s', '2 min', '60 min', '2 h 5 min']);
  });
  it('the progress of several groups is summed', () => {
    const other = { counts: [{ status: 'VECTORIZADO', documents: 2 } as const], waiting: 1, searchable: 2, chunks: 9 };
    expect(together([progress()])).toEqual(
      (({ counts, waiting, searchable, chunks }) => ({ counts, waiting, searchable, chunks }))(progress()),
    );
    expect(progressLine(figuresOf(together([progress(), other])))).toBe(
      '6 of 10 documents done (3 extracted, 2 missing, 7 vectorized; 49 chunks searchable).',
    );
  });
  it('a bar fits the width of the terminal', () => {
    const figures = figuresOf(progress(), 12.4);
    expect(barLine(figures, 200)).toBe(
      '[===============>        ] 62% 5/8 documents, 12 documents/s, about 1 s left | 3 extracted, 2 missing, 5 vectorized',
    );
    for (const columns of [20, 40, 80]) expect(barLine(figures, columns).length).toBeLessThan(columns);
  });
});

describe('the summary', () => {
  it('the summary prints states, chunks, exclusions with reasons, failures and advice', () => {
    const lines = summaryOf(
      progress({
        counts: [
          { status: 'ERROR', documents: 1 },
          { status: 'NO_SOPORTADO', documents: 1 },
          { status: 'VECTORIZADO', documents: 5 },
        ],
        waiting: 0,
        failures: [
          { path: '/a/one.pdf', status: 'ERROR', reason: 'It broke.' },
          { path: '/a/two.dwg', status: 'NO_SOPORTADO', reason: 'Not read.' },
        ],
        ignored: [
          { rule: 'excluded', entries: 2 },
          { rule: 'hidden', entries: 1 },
        ],
        notices: [{ folder: '/a', notice: '4 of 5 documents are gone at once.', doubted: 4, unread: 0, unmounted: 0 }],
      }),
    );
    expect(lines).toEqual([
      'Done: 5 of 7 documents searchable, 40 chunks.',
      '  Documents: 1 error, 1 unsupported, 5 vectorized.',
      '  Left out by the scans: 2 named in .acervoignore, 1 hidden.',
      '  /a: 4 of 5 documents are gone at once.',
      'Not searchable (2):',
      '  /a/one.pdf: It broke.',
      '  /a/two.dwg: Not read.',
      'What to do:',
      '  1 document failed: npm start -- --retry-failed tries again.',
      '  1 document cannot be read: a file is tried again when it changes.',
      '  If the files were deleted on purpose: npm start -- --accept-deletions.',
    ]);
  });
  it('doubtful deletions, unreadable files and missing mounts each get advice', () => {
    const advice = (doubted: number, unread: number, unmounted = 0): string =>
      summaryOf(
        progress({ waiting: 0, notices: [{ folder: '/a', notice: 'Something.', doubted, unread, unmounted }] }),
      ).join('\n');
    expect(advice(1, 0)).toMatch(/--accept-deletions/);
    expect(advice(1, 0)).not.toMatch(/make readable/);
    expect(advice(0, 1)).toMatch(/Mount or make readable what cannot be read, or name it in \.acervoignore/);
    expect(advice(0, 1)).not.toMatch(/--accept-deletions/);
    expect(advice(0, 0, 1)).toMatch(/Mount what is not mounted; if it is gone for good, .*--accept-deletions/);
    expect(advice(0, 0, 1)).not.toMatch(/make readable|deleted on purpose/);
    expect(advice(0, 0)).not.toMatch(/--accept-deletions|make readable/);
  });
  it('the number of unlisted failures is printed', () => {
    const counts = [{ status: 'ERROR', documents: 80 }] as const;
    const failures = [{ path: '/a', status: 'ERROR', reason: 'No.' }] as const;
    expect(summaryOf(progress({ counts, waiting: 0, failures }))).toContain(
      '  and 79 more; GET /v1/documents lists them all.',
    );
  });
  it('no documents, or no readable ones, get advice', () => {
    expect(summaryOf(progress({ counts: [], waiting: 0, chunks: 0 })).join('\n')).toMatch(/No document was found/);
    const counts = [{ status: 'NO_SOPORTADO', documents: 2 }] as const;
    expect(summaryOf(progress({ counts, waiting: 0, searchable: 0 })).join('\n')).toMatch(
      /None of the documents can be read/,
    );
  });
  it('the summary shows the progress while work waits', () => {
    expect(summaryOf(progress())[0]).toMatch(/^At work: 5 of 8 documents done/);
  });
  it('the lines of a scan name the rules of excluded entries', () => {
    const run = { run: 1, seen: 4, added: 4, changed: 0, missing: 0, notice: null };
    expect(scanLines('/a', { ...run, ignored: [{ rule: 'link', entries: 2 }] })).toEqual([
      'Scanned /a: 4 files, 4 new, 0 changed, 0 gone, 2 left out.',
      '  Left out: 2 links.',
    ]);
  });
});

describe('a screen', () => {
  const figures = figuresOf(progress());

  it('a terminal gets a bar below its lines until the end', async () => {
    const { terminal, written } = stream(true);
    const screen = barScreen(terminal);
    screen.print('before');
    screen.show(figures);
    screen.print('a line');
    screen.show(figuresOf(progress({ waiting: 1 })));
    await pause(400);
    screen.clear();
    screen.print('after');
    expect(written()).toContain('5/8 documents');
    expect(written()).toContain('7/8 documents');
    expect(written().indexOf('before\n')).toBeLessThan(written().indexOf('a line\n'));
    const end = written().slice(written().lastIndexOf('documents'));
    expect(end).toContain('\u001b[0J');
    expect(end.endsWith('after\n')).toBe(true);
  });
  it('several lines of one write stand above the bar', async () => {
    const { terminal, written } = stream(true);
    const screen = barScreen(terminal);
    screen.show(figures);
    screen.print('first\nsecond');
    await pause(400);
    screen.clear();
    expect(written()).toContain('first\nsecond\n');
    expect(written().lastIndexOf('5/8 documents')).toBeGreaterThan(written().indexOf('second\n'));
  });
  it('without a terminal, each line is printed once and not too often', () => {
    const printed: string[] = [];
    let now = 0;
    const screen = plainScreen(
      (line) => printed.push(line),
      () => now,
    );
    for (const [at, waiting] of [
      [0, 3],
      [1_000, 2],
      [6_000, 2],
      [7_000, 1],
      [20_000, 2],
    ] as const) {
      now = at;
      screen.show(figuresOf(progress({ waiting })));
    }
    expect(printed.map((line) => line.slice(0, 6))).toEqual(['5 of 8', '6 of 8']);
  });
  it('the output to a pipe never moves the cursor', async () => {
    const { terminal, written } = stream(false);
    const screen = screenOn(terminal, { plain: false, environment: {} });
    screen.show(figures);
    screen.print('a line');
    await pause(10);
    expect(written()).toBe(`${progressLine(figures)}\na line\n`);
  });
  it.each([
    ['a terminal', true, false, {}, true],
    ['a pipe', false, false, {}, false],
    ['a terminal with --plain', true, true, {}, false],
    ['a terminal without colours', true, false, { NO_COLOR: '1' }, false],
    ['a CI machine', true, false, { CI: 'true' }, false],
    ['a terminal that cannot move its cursor', true, false, { TERM: 'dumb' }, false],
    ['a terminal with empty settings', true, false, { NO_COLOR: '', CI: '' }, true],
  ])('the screen of %s has a bar: %p, %p, %p', (_what, isTTY, plain, environment, wanted) => {
    expect(wantsBar({ isTTY }, { plain, environment })).toBe(wanted);
  });
});
