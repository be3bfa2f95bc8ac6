import { Setting } from '@acervo/platform-config';
import { KafkaConfig } from './kafka-config';

/** Settings of the program that migrates schemas. */
export class MigrateConfig extends KafkaConfig {
  @Setting({
    env: 'ACERVO_DATABASE_PASSWORDS',
    default: null,
    description: 'Directory with one file for each role, named like the role, that holds its password',
  })
  readonly passwords!: string | null;
  @Setting({
    env: 'ACERVO_DATABASE_ADMIN_USER',
    default: null,
    description: 'Role that may make roles and extensions; without it the database must have been made ready before',
  })
  readonly adminUser!: string | null;
  @Setting({ env: 'ACERVO_DATABASE_ADMIN_PASSWORD', default: '', secret: true, description: 'Password of that role' })
  readonly adminPassword!: string;
  @Setting({
    env: 'ACERVO_KAFKA_PREPARE',
    default: false,
    description: 'Make the topics and give each service its rights on them, as the user that is named',
  })
  readonly kafkaPrepare!: boolean;
}
