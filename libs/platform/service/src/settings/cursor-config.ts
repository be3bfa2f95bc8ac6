import { CurrentVersion, Setting } from '@acervo/platform-config';

/** The key of the cursors of lists. */
export class CursorConfig {
  @Setting({
    env: 'ACERVO_CURSOR_KEY',
    default: '',
    secret: true,
    description: 'Server key that the cursors of lists are signed with, at least 16 characters; several as 1:old,2:new',
  })
  readonly cursorKey!: string;
  @CurrentVersion('ACERVO_CURSOR_KEY')
  readonly cursorKeyCurrent!: number | null;
}
