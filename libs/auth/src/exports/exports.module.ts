import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { PeopleTransferHandlers } from './people.handlers';

/** Groups with their people, carried to another installation. */
@Module({ imports: [DatabasesModule], providers: [PeopleTransferHandlers] })
export class ExportsModule {}
