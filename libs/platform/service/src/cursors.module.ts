import { Module } from '@nestjs/common';
import { Cursors } from '@acervo/platform-calls';
import { CurrentVersion, Setting, VersionedSecret } from '@acervo/platform-config';

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

/** The cursors of the lists of a service that reads `CursorConfig`. */
@Module({
  providers: [
    {
      provide: Cursors,
      inject: [CursorConfig],
      useFactory: ({ cursorKey, cursorKeyCurrent }: CursorConfig) =>
        new Cursors(new VersionedSecret(cursorKey, 'ACERVO_CURSOR_KEY', cursorKeyCurrent)),
    },
  ],
  exports: [Cursors],
})
export class CursorsModule {}
