import type { Selection, Transaction } from '@acervo/platform-database';
import type { Visibility } from '@acervo/rbac';
import { memberRows } from './reader-view.store';

/** What the deletion of a space concerns, as its caller sees it. Documents stay; composed spaces keep their members. */
export const selectAffected = (
  { groupId }: Transaction,
  visibility: Visibility,
  spaceId: number,
): Selection<'documents' | 'composedSpaces'> => {
  const documents = memberRows(visibility, 3);
  return {
    rows: {
      documents,
      composedSpaces: {
        from: 'retrieval.space s',
        where: `s.group_id = $1 and $2::int in ((s.expression->>'spaceIdA')::int, (s.expression->>'spaceIdB')::int)`,
      },
    },
    params: [groupId, spaceId, ...documents.params],
  };
};
