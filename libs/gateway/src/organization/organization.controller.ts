import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  draftOrganization,
  getOrganization,
  OrganizationDraft,
  OrganizationDraftRequest,
  OrganizationProfile,
  OrganizationRequest,
  OrganizationUpdate,
  OrganizationUpdated,
  updateOrganization,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { requirements, Requires, type Scope } from '@acervo/rbac';
import * as descriptions from './organization.descriptions';

@ApiTags('organization')
@ApiBearerAuth('credential')
@Controller('v1/organization')
export class OrganizationController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Requires(requirements.credential)
  @Answers(OrganizationProfile)
  @Describes(descriptions.showsOrganization)
  getOrganization(@Caller() scope: Scope, @Query() request: OrganizationRequest): Promise<OrganizationProfile> {
    return this.calls.send(getOrganization, scope, request);
  }

  @Put()
  @Requires(requirements.administrators('MANAGE_ENTITIES'))
  @Answers(OrganizationUpdated)
  @Describes(descriptions.writesOrganization)
  updateOrganization(@Caller() scope: Scope, @Body() update: OrganizationUpdate): Promise<OrganizationUpdated> {
    return this.calls.send(updateOrganization, scope, update);
  }

  @Post('draft')
  @Requires(requirements.administrators('MANAGE_ENTITIES'))
  @Answers(OrganizationDraft)
  @Describes(descriptions.draftsOrganization)
  draftOrganization(@Caller() scope: Scope, @Body() request: OrganizationDraftRequest): Promise<OrganizationDraft> {
    return this.calls.send(draftOrganization, scope, request);
  }
}
