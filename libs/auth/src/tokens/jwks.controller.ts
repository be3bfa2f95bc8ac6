import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublishedKeySet } from '@acervo/contracts';
import { Answers } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';
import { SigningKeys } from '../secrets/signing-keys';

@ApiTags('auth')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Requires(requirements.nobody)
  @Answers(PublishedKeySet)
  @ApiOperation({ summary: 'Public keys that access tokens are signed with, the next one included' })
  async keySet(): Promise<PublishedKeySet> {
    const keys = await this.keys.published();
    return {
      keys: keys.map(({ kid = '', kty = '', crv = '', x = '', y = '', alg = '', use = '' }) => ({
        ...{ kid, kty, crv, x, y, alg, use },
      })),
    };
  }
}
