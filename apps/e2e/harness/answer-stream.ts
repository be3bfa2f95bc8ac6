import { request } from 'node:http';
import { type Frame, framesOf } from '@acervo/platform-testing';

export interface StreamedQuestion {
  readonly port: number;
  /** The token of a session. */
  readonly bearer: string;
  readonly conversation: number;
  readonly question: string;
  /** Leaves after so many bytes of the body; reads to the end without it. */
  readonly leaveAfter?: number;
  /** Called with each part of the body; `leave` destroys the connection. */
  readonly onText?: (text: string, leave: () => void) => void;
}

export interface StreamedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** The frames that were received as a whole. @throws where one is no line `data:` with an object */
  readonly frames: readonly Frame[];
}

/** Asks a question whose answer streams; resolves with what was received, also where the connection broke. */
export const askStreamed = (asked: StreamedQuestion): Promise<StreamedAnswer> => {
  const { port, bearer, conversation, question, leaveAfter = Infinity, onText = () => undefined } = asked;
  const body = JSON.stringify({ mensaje: question });
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let [read, status, contentType] = [0, 0, ''];
    const sent = request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: `/chat/conversaciones/${conversation}/mensajes/stream` },
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
    });
    sent.on('response', (response) => {
      status = response.statusCode ?? 0;
      contentType = response.headers['content-type'] ?? '';
      if (leaveAfter === 0) sent.destroy();
      response.on('data', (part: Buffer) => {
        parts.push(part.subarray(0, leaveAfter - read));
        read += part.length;
        onText(Buffer.concat(parts).toString('utf8'), () => sent.destroy());
        if (read >= leaveAfter) sent.destroy();
      });
      response.on('error', () => undefined);
    });
    sent.on('error', () => undefined);
    sent.on('close', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const frames = contentType.startsWith('text/event-stream') ? framesOf(text) : [];
      resolve({ status, contentType, text, frames });
    });
    sent.end(body);
  });
};

/** Frames that end a stream. */
export const endsOf = (frames: readonly Frame[]): readonly Frame[] =>
  frames.filter((frame) => 'done' in frame || 'error' in frame);
