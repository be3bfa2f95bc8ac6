import { Module } from '@nestjs/common';
import { Cursors } from '@acervo/platform-calls';
import { VersionedSecret } from '@acervo/platform-config';
import { CursorConfig } from '../settings/cursor-config';

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
