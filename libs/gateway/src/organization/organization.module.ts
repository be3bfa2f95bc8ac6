import { Module } from '@nestjs/common';
import { OrganizationController } from './organization.controller';

/** The profile of the organization. */
@Module({ controllers: [OrganizationController] })
export class OrganizationModule {}
