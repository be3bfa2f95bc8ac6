import { rebuildState, type RebuildQuestion, type RebuildState } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { INDEX_STAGE } from './stages';

/** Tells how far indexes are that are made anew. */
export class RebuildCalls {
  constructor(private readonly database: Database) {}

  @Handles(rebuildState)
  state(scope: WorkScope, { since }: RebuildQuestion): Promise<RebuildState> {
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.query<RebuildState>(
        `select (select count(distinct document_id)::int from retrieval.live where group_id = $1 and since >= $2) as rebuilt,
           (select count(*)::int from retrieval.task where group_id = $1 and stage = $3
             and status in ('WAITING', 'LEASED')) as waiting`,
        [scope.groupId, since, INDEX_STAGE.name],
      );
      return row ?? { rebuilt: 0, waiting: 0 };
    });
  }
}
