// The program of a reading process: one file at a time, for the parent process on its channel.
import { sealProcess } from './seal';

sealProcess();

import { PagedReader, type PictureOfText, Recogniser } from '../reader';
import { failureOf, refusalOf } from './failures';
import type { Order, Report, Task } from './protocol';

type Recognised = Exclude<Order, Task>;

const send = (report: Report): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(report, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });

/** Forwards to the supervisor; only the supervisor may start a recogniser. */
class RemoteRecogniser extends Recogniser {
  private answer: ((order: Recognised) => void) | undefined;

  async recognise(picture: PictureOfText): Promise<string> {
    const answered = new Promise<Recognised>((resolve) => (this.answer = resolve));
    await send({ kind: 'recognise', picture });
    const order = await answered;
    if (order.kind === 'recognised') return order.text;
    throw refusalOf(order.failure) ?? Object.assign(new Error(), { name: order.failure.name });
  }

  take(order: Recognised): void {
    this.answer?.(order);
  }
}

const recogniser = new RemoteRecogniser();

let isReady = false;

const executeTask = async (task: Task): Promise<Report> => {
  const { readFile } = await import('./reading.js');
  const { readerNamed } = await import('../readers/index.js');
  if (!isReady) await send({ kind: 'ready' });
  isReady = true;
  if (task.kind === 'read') {
    const { limits, recognises, from, unseen, file } = task;
    // Bytes cross the channel as a Uint8Array.
    const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
    const order = {
      file: { name: file.name, bytes },
      from,
      unseen,
      opened: () => send({ kind: 'opened' }),
      page: (page: Extract<Report, { kind: 'page' }>['page']) => send({ kind: 'page', page }),
    };
    return readFile(order, { limits, recogniser: recognises ? recogniser : null });
  }
  const reader = await readerNamed('pdf');
  if (!(reader instanceof PagedReader) || reader.name !== task.name) throw new Error('No reader has these pages.');
  return { kind: 'assembled', document: reader.assemble(task.pages, task.facts) };
};

process.on('message', (message) => {
  const order = message as Order;
  if (order.kind === 'recognised' || order.kind === 'not-recognised') return recogniser.take(order);
  void executeTask(order)
    .catch((error: unknown): Report => ({ kind: 'failed', failure: failureOf(error) }))
    .then(send);
});
process.on('disconnect', () => process.exit(0));
