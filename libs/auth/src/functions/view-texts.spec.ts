import type { Logger } from '@acervo/platform-observability';
import type { TreeNode } from '../function-views/view-check';
import { templateView } from '../function-views/view-template';
import { ViewTexts } from './view-texts';

const warnings: unknown[] = [];
const logger = { warn: (fields: unknown) => warnings.push(fields) } as unknown as Logger;
const BROKEN = { SelectStmt: { targetList: [{ NodeOfAnotherRelease: {} }] } } as unknown as TreeNode;

describe('the text of a stored view', () => {
  const first = { code: 'DOCUMENTS', generatedAt: new Date(0), syncedAt: null };

  it('is written once for each generation', async () => {
    const texts = new ViewTexts(logger);
    const { tree, text } = await templateView('DOCUMENTS');
    const shown = { statement: text, generatedAt: '1970-01-01T00:00:00.000Z', syncedAt: null };
    expect(await texts.viewOf({ ...first, tree })).toEqual(shown);
    expect(await texts.viewOf({ ...first, tree: BROKEN })).toEqual(shown);
    const { tree: next } = await templateView('SESSION');
    const later = await texts.viewOf({ ...first, tree: next, generatedAt: new Date(1) });
    expect(later?.statement).toContain('SESSION');
  });

  it('is missing, and warned of, where it cannot be written', async () => {
    const texts = new ViewTexts(logger);
    expect(await texts.viewOf({ ...first, tree: BROKEN })).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ function: 'DOCUMENTS' })]);
  });
});
