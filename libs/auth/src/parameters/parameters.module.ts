import { Module } from '@nestjs/common';
import { Peppers } from '../secrets/peppers';
import { SecretsModule } from '../secrets/secrets.module';
import { Seal } from '../secrets/seal';
import { ParameterStore } from './parameter.store';
import { ParametersHandlers } from './parameters.handlers';
import { SkillResults } from './skill-results';

/** Parameters of groups. */
@Module({
  imports: [SecretsModule],
  providers: [
    ParametersHandlers,
    SkillResults,
    {
      provide: ParameterStore,
      inject: [Peppers],
      useFactory: (peppers: Peppers) => new ParameterStore(new Seal(peppers, 'parameter')),
    },
  ],
})
export class ParametersModule {}
