import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module';
import { AccountsModule } from '../accounts/accounts.module';
import { ProvisioningHandlers } from './provisioning.handlers';
import { ProvisioningStore } from './provisioning.store';

/** The first group of an installation. */
@Module({
  imports: [KeysModule, AccountsModule],
  providers: [ProvisioningHandlers, ProvisioningStore],
  exports: [ProvisioningStore],
})
export class ProvisioningModule {}
