import { Moment, Text } from './fields';

/** The running version. Build facts are null if the build did not set them. */
export class RunningVersion {
  @Text({ max: 40, description: 'Version of the service' }) readonly version!: string;
  @Text({ max: 64, nullable: true, description: 'Commit that it was built from' }) readonly commit!: string | null;
  @Text({ max: 16, nullable: true, description: 'The same, short' }) readonly commitShort!: string | null;
  @Moment({ nullable: true, wire: 'fecha_build', description: 'When it was built' }) readonly builtAt!: string | null;
}
