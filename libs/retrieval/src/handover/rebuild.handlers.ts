import { Injectable } from '@nestjs/common';
import {
  type CopiesRebuild,
  type Empty,
  rebuildCopies,
  rebuildState,
  type RebuildQuestion,
  type RebuildState,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import { INDEX_STAGE, REBUILD_STAGE } from '../kernel/stages';
import { work } from '../kernel/work-sql';

/** Starts rebuilds of indexes, and reports their progress. */
@Injectable()
export class RebuildHandlers {
  constructor(
    private readonly database: Database,
    private readonly copies: ChunkCopies,
  ) {}

  @Handles(rebuildCopies)
  async rebuildCopies(scope: WorkScope, _input: Empty, context: WriteContext): Promise<CopiesRebuild> {
    await this.copies.makeRoom(scope);
    return context.write(async (tx) => {
      await this.copies.rebuild(tx);
      return { isPlanned: this.copies.isEnabled };
    });
  }

  @Handles(rebuildState)
  state(scope: WorkScope, { since }: RebuildQuestion): Promise<RebuildState> {
    return this.database.read(scope, async (tx) => {
      const [row] = await tx.query<RebuildState>(
        `select (select count(distinct document_id)::int from retrieval.live where group_id = $1 and since >= $2) as rebuilt,
           ${work.countOpen({ group: '$1', stages: [INDEX_STAGE] })} as waiting,
           ${work.hasOpen({ group: '$1', stages: [REBUILD_STAGE] })} as "isFilling",
           exists (select from retrieval.lexical_index where group_id = $1 and state = 'BUILDING') as "isUnfinished"`,
        [scope.groupId, since],
      );
      return row ?? { rebuilt: 0, waiting: 0, isFilling: false, isUnfinished: false };
    });
  }
}
