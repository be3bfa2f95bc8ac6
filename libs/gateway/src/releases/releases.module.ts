import { Module } from '@nestjs/common';
import { ReleaseTokenGuard } from './release-token';
import { ReleaseClock, ReleaseService } from './release.service';
import { ReleaseStore } from './release.store';
import { ReleasesController } from './releases.controller';

/** Published versions of the service and of the desktop client. */
@Module({
  controllers: [ReleasesController],
  providers: [ReleaseClock, ReleaseService, ReleaseStore, ReleaseTokenGuard],
})
export class ReleasesModule {}
