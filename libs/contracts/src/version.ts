import { Moment, Text } from './fields';

/** What is running. Build facts are null where the build did not put them in. */
export class RunningVersion {
  @Text({ max: 40, description: 'Version of the service' }) readonly version!: string;
  @Text({ max: 64, nullable: true, description: 'Commit that it was built from' }) readonly commit!: string | null;
  @Text({ max: 16, nullable: true, description: 'The same, short' }) readonly commitShort!: string | null;
  @Moment({ nullable: true, wire: 'fecha_build', description: 'When it was built' }) readonly builtAt!: string | null;
}
