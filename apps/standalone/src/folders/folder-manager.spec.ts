import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRoots } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { FolderManager } from './folder-manager';
import { AddedFolders } from './known-folders';
import { DirectView } from './watch/folder-view';

const groupId = '11111111-1111-4111-8111-111111111111';
const group = { groupId, code: 'G1', first: true, scope: new WorkScope(groupId, 'standalone', 'test') };

describe('a folder that a link replaces', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-desk-')));
  const folder = join(place, 'docs');
  afterAll(() => rmSync(place, { recursive: true }));

  it.each(['before a start', 'while the program runs'])(
    '%s a link in place of a folder is reported, not ingested',
    async (when) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const replace = (): void => {
        rmSync(join(place, 'elsewhere'), { recursive: true, force: true });
        renameSync(folder, join(place, 'elsewhere'));
        symlinkSync(join(place, 'elsewhere'), folder);
      };
      const [asked, printed, folders]: [unknown[], string[], AddedFolders] = [[], [], new AddedFolders()];
      const calls = {
        send: (call: unknown) => {
          asked.push(call);
          return Promise.resolve({ roots: [{ path: folder, deleted: false, awaitsRun: false }] });
        },
      } as unknown as Calls;
      if (when === 'while the program runs') folders.remember(folder);
      replace();
      const folderManager = new FolderManager({
        ...{ calls, group, entityCode: 'E1', folders, worked: () => undefined },
        openView: (viewed) => new DirectView(viewed),
        print: (line) => void printed.push(line),
      });
      const isWhole = await folderManager.open({ watches: false, acceptDeletions: false, named: null });
      expect(asked.filter((call) => call !== listRoots)).toEqual([]);
      expect(printed.join('\n')).toContain(`The folder ${folder} was left out: it is a link to another folder now`);
      expect([folders.folders.includes(join(place, 'elsewhere')), isWhole]).toEqual([false, false]);
      await folderManager.close();
    },
  );
});
