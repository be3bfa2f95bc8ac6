import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Module, Param, Query } from '@nestjs/common';
import { Int, NotFound, Text } from '@acervo/contracts';
import { until } from '@acervo/platform-testing';
import { requirements, Requires } from '@acervo/rbac';
import { AnswersStream, Stream, type StreamSignals } from '../src';

export class Frame {
  @Text({ max: 2_000, optional: true, description: 'Part of the answer' }) readonly text?: string;
  @Int({ optional: true, description: 'Frames before the last one' }) readonly done?: number;
  @Text({ max: 200, optional: true, description: 'Why the stream ends early' }) readonly error?: string;
}

export class Wanted {
  @Int({ min: 0, max: 1_000_000, default: 3, description: 'Frames' }) readonly frames!: number;
  @Int({ min: 1, max: 2_000, default: 10, description: 'Characters of each' }) readonly size!: number;
}

/** What handlers of streams did so far. */
export const seen = { sent: 0, ended: 0, gone: 0 };

const failed = (error: unknown): Frame => ({ error: error instanceof Error ? error.name : 'Error' });

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

@Controller('v1/streams')
@Requires(requirements.nobody)
export class StreamsController {
  /** As many frames as are asked for, then a last one; fewer once the process stops. */
  @Get()
  @AnswersStream(Frame, failed)
  async *count(@Query() { frames, size }: Wanted, @Stream() { ending }: StreamSignals): AsyncGenerator<Frame> {
    let sent = 0;
    try {
      for (; sent < frames && !ending.aborted; sent += 1) {
        yield Object.assign(new Frame(), { text: 'x'.repeat(size), secret: 'hush' });
        seen.sent += 1;
        // Others have their turn.
        if (sent % 64 === 0) await pause(0);
      }
      yield { done: sent };
    } finally {
      seen.ended += 1;
    }
  }

  @Get(':kind')
  @AnswersStream(Frame, failed)
  async *other(@Param('kind') kind: string, @Stream() { gone }: StreamSignals): AsyncGenerator<Frame> {
    if (kind === 'absent') throw new NotFound();
    if (kind === 'late') await untilAborted(gone);
    try {
      yield { text: 'begun' };
      if (kind === 'failing') throw new RangeError('hush');
      await untilAborted(gone);
      seen.gone += 1;
    } finally {
      seen.ended += 1;
    }
  }
}

@Module({ controllers: [StreamsController] })
export class StreamsModule {}

/** A client of streams that reads on demand. */
export class SlowReader {
  private text = '';
  isOver = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (part: Buffer) => (this.text = `${this.text}${part.toString('latin1')}`.slice(-200)));
    socket.on('close', () => (this.isOver = true));
    socket.on('error', () => undefined);
    socket.pause();
  }

  static open(port: number, path: string): Promise<SlowReader> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, () =>
          resolve(new SlowReader(socket)),
        );
      });
      socket.once('error', reject);
    });
  }

  /** Reads to the end; answers the last frame. */
  async end(): Promise<string> {
    this.socket.resume();
    await until('the stream ends', () => this.isOver);
    return [...this.text.matchAll(/data: (\{[^\n]*\})\n/g)].at(-1)?.[1] ?? this.text;
  }

  leave(): void {
    this.socket.destroy();
  }
}

/** Waits until handlers wait: their readers are behind. */
export const untilBehind = async (): Promise<number> => {
  let before = -1;
  await until('the streams wait for their readers', async () => {
    const isSame = seen.sent === before;
    before = seen.sent;
    await pause(150);
    return isSame && seen.sent === before;
  });
  return seen.sent;
};
