import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, Transfer } from '@acervo/platform-database';
import { folderTables } from './tables';

/** Folders and documents of a group, to and from another installation. */
@Injectable()
export class FolderTransfer extends Transfer {
  constructor(private readonly database: BackgroundDatabase) {
    super('ingestion', folderTables);
  }

  /** Drops the snapshots of exports that ended without doing so. */
  forgetAbandoned(scope: TenantScope): Promise<void> {
    return this.database.write(scope, (tx) => this.dropExpired(tx));
  }
}
