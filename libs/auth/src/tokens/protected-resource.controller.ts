import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ProtectedResource } from '@acervo/contracts';
import { BaseConfig } from '@acervo/platform-config';
import { Answers } from '@acervo/platform-http';
import { requirements, Requires } from '@acervo/rbac';

@ApiTags('auth')
@Controller('.well-known/oauth-protected-resource')
export class ProtectedResourceController {
  constructor(private readonly config: BaseConfig) {}

  @Get('mcp')
  @Requires(requirements.nobody)
  @Answers(ProtectedResource)
  @ApiOperation({ summary: 'What a client of the Model Context Protocol needs to ask `/mcp`: a key as bearer' })
  ofMcp(): ProtectedResource {
    const resource = new URL('/mcp', this.config.publicUrl).href;
    return { resource, resourceName: 'Acervo', bearerMethodsSupported: ['header'] };
  }
}
