import { Module } from '@nestjs/common';
import { peopleTransfer } from '@acervo/contracts';
import { transferHandlers } from '@acervo/platform-service';
import { DatabasesModule } from '../databases/databases.module';
import { InstallationHandlers } from './installation.handlers';
import { PeopleTransfer } from './people-transfer';

/** Groups with their people, carried to another installation. */
@Module({
  imports: [DatabasesModule],
  providers: [InstallationHandlers, PeopleTransfer, transferHandlers(peopleTransfer, PeopleTransfer)],
})
export class ExportsModule {}
