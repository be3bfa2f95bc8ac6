import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { DocumentsModule } from '../documents/documents.module';
import { FileAccess } from '../file-access/file-access';
import { FileAccessModule } from '../file-access/file-access.module';
import { IngestionConfig } from '../ingestion.config';
import { ScansModule } from '../scans/scans.module';
import { HierarchyHandlers } from './hierarchy.handlers';
import { HierarchyStore } from './hierarchy.store';
import { FolderContentsHandlers } from './folder-contents.handlers';
import { LocationChangesHandlers } from './location-changes.handlers';
import { LocationDeletionHandlers } from './location-deletion.handlers';
import { LocationsModule } from '../locations/locations.module';
import { WebSourcesModule } from '../web-sources/web-sources.module';
import { LocationsHandlers } from './locations.handlers';
import { NewWebLocations } from './new-web-locations';
import { OpenedFolders } from './opened-folders';
import { RemovalStage } from './removal.stage';

/** The folders of groups: registered, changed, deleted. */
@Module({
  imports: [
    LocationsModule,
    ScansModule,
    DocumentStateModule,
    DocumentsModule,
    AttachmentsModule,
    FileAccessModule,
    WebSourcesModule,
  ],
  providers: [
    {
      provide: OpenedFolders,
      inject: [IngestionConfig, FileAccess],
      useFactory: ({ folderRoots, keptDirectory }: IngestionConfig, files: FileAccess) =>
        OpenedFolders.from(folderRoots, keptDirectory, files),
    },
    HierarchyStore,
    NewWebLocations,
    LocationsHandlers,
    LocationChangesHandlers,
    LocationDeletionHandlers,
    HierarchyHandlers,
    FolderContentsHandlers,
    RemovalStage,
  ],
})
export class LocationChangesModule {}
