import { Body, Controller, Get, Header, Post, UseGuards } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { ClientRelease, CloudRelease } from '@acervo/contracts';
import { Answers, Describes } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';
import { RELEASE_TOKEN_HEADER, ReleaseTokenGuard } from './release-token';
import { ReleaseService } from './release.service';
import { CLIENT, CLOUD } from './release.store';
import * as descriptions from './releases.descriptions';

const CACHED = 'public, max-age=60';

@ApiTags('version')
@Controller('version')
@Requires(requirements.nobody)
export class ReleasesController {
  constructor(private readonly releases: ReleaseService) {}

  @Get('cloud/latest')
  @Header('Cache-Control', CACHED)
  @Answers(CloudRelease)
  @Describes(descriptions.showsCloudRelease)
  getLatestCloudRelease(): Promise<CloudRelease> {
    return this.releases.newest(CLOUD);
  }

  @Get('cliente/latest')
  @Header('Cache-Control', CACHED)
  @Answers(ClientRelease)
  @Describes(descriptions.showsClientRelease)
  getLatestClientRelease(): Promise<ClientRelease> {
    return this.releases.newest(CLIENT);
  }

  @Post('cliente/publicar')
  @UseGuards(ReleaseTokenGuard)
  @Answers(ClientRelease)
  @ApiHeader({
    ...{ name: RELEASE_TOKEN_HEADER, required: false, schema: { type: 'string', maxLength: 1_024 } },
    description: 'The token of releases; without the right one the answer is 403',
  })
  @Describes(descriptions.publishesClientRelease)
  publishClientRelease(@Body() release: ClientRelease): Promise<ClientRelease> {
    return this.releases.publish(CLIENT, release);
  }
}
