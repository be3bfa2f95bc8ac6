import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  getOrganization,
  OrganizationProfile,
  OrganizationRequest,
  OrganizationUpdate,
  OrganizationUpdated,
  updateOrganization,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';

@ApiTags('organization')
@ApiBearerAuth('credential')
@Controller('v1/organization')
export class OrganizationController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(OrganizationProfile)
  @ApiOperation({ summary: 'Show what the group and an entity say about themselves, and what is missing' })
  getOrganization(@Caller() scope: Scope, @Query() request: OrganizationRequest): Promise<OrganizationProfile> {
    return this.calls.send(getOrganization, scope, request);
  }

  @Put()
  @Requires(requirements.administrators('MANAGE_ENTITIES'))
  @Answers(OrganizationUpdated)
  @ApiOperation({ summary: 'Write what the group and an entity say about themselves; what is not sent stays' })
  updateOrganization(@Caller() scope: Scope, @Body() update: OrganizationUpdate): Promise<OrganizationUpdated> {
    return this.calls.send(updateOrganization, scope, update);
  }
}
