import { ExcludedEntries } from './excluded-entries';

describe('folders that no walk enters', () => {
  const leftOut = new ExcludedEntries();
  leftOut.exclude('', '/drafts/\n/away/\n*.log\n');
  leftOut.exclude('sub', 'gone/\n!kept.log\n');
  leftOut.exclude('other', undefined);
  leftOut.passBy('other/link');

  it.each([
    ['.acervoignore names, present or absent', ['drafts', 'away', 'a.log', 'other/deep/a.log', 'sub/gone']],
    ['lie below such a folder', ['drafts/old/older', 'a.log/x', 'sub/nowhere/gone/x', 'other/link/x']],
    ['are links', ['other/link']],
    ['have an ignored name', ['.git', 'sub/node_modules/x']],
  ])('no walk enters folders that %s', (_what, paths) => {
    for (const path of paths) expect([path, leftOut.coversFolder(path)]).toEqual([path, true]);
  });
  it('similar names and entries that a deeper .acervoignore includes are entered', () => {
    for (const path of ['sub', 'gone', 'other/drafts', 'sub/kept.log', 'other/links', 'link', 'nowhere'])
      expect([path, leftOut.coversFolder(path)]).toEqual([path, false]);
  });
});
