import { Module } from '@nestjs/common';
import { SessionController } from './session.controller';

/** Who the caller is and where its focus lies. */
@Module({ controllers: [SessionController] })
export class SessionModule {}
