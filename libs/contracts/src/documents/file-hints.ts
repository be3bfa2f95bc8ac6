import { documentOrigin, type DocumentOrigin } from '@acervo/public-mapping';
import { Flag, OneOf, Text } from '../fields';

/** Begins the name of the variable that holds the local place of a root folder; its code follows. */
export const HOME_PREFIX = 'ACERVO_HOME_';

/** Where the original can be opened. The client composes the absolute path, which the service never has. */
export class FileHints {
  @Text({
    max: 200,
    nullable: true,
    description: 'Environment variable that holds the local root on the reader’s machine',
  })
  readonly homeVar!: string | null;
  @Text({ max: 4096, description: 'Path relative to that root' }) readonly relativePath!: string;
  @Text({ max: 4096, description: 'Logical path, root name included' }) readonly path!: string;
  @OneOf(documentOrigin, { description: 'Where the original lives' }) readonly origin!: DocumentOrigin;
  @Flag({ description: 'The path can be opened as it is' }) readonly isAbsolute!: boolean;
  @Flag({ description: 'The URL can be opened by anybody' }) readonly isPublicUrl!: boolean;
  @Flag({ description: 'The original stays with its provider' }) readonly isCloudOnly!: boolean;
}
