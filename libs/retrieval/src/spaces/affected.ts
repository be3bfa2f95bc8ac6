import type { Selection, Transaction } from '@acervo/platform-database';
import type { Visibility } from '@acervo/rbac';
import { liveIndexSql } from '../embedding-indexes/live-index-sql';
import { liveRow, searchedRows } from '../legs/searched-documents';

/** What the deletion of a space concerns, as its caller sees it. Documents stay; composed spaces keep their members. */
export const selectAffected = (
  { groupId }: Transaction,
  visibility: Visibility,
  spaceId: number,
): Selection<'documents' | 'composedSpaces'> => {
  const { from, where, params } = searchedRows({ ...visibility, space: { spaceId, version: null } }, 3);
  return {
    rows: {
      documents: { from: `${from} cross join ${liveRow('$1::uuid', liveIndexSql('$1'))}`, where },
      composedSpaces: {
        from: 'retrieval.space s',
        where: `s.group_id = $1 and $2::int in ((s.expression->>'spaceIdA')::int, (s.expression->>'spaceIdB')::int)`,
      },
    },
    params: [groupId, spaceId, ...params],
  };
};
