/** An object that a stream of server-sent events carries. */
export type Frame = Readonly<Record<string, unknown>>;

/** The frames of a stream that were received as a whole. @throws Error where one is no line `data:` with an object */
export const framesOf = (text: string): Frame[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const [, json] = /^data: (\{.*\})$/u.exec(frame) ?? [];
      if (json === undefined) throw new Error(`No frame: ${frame}`);
      return JSON.parse(json) as Frame;
    });

/** The text of an answer, as far as its frames were received. */
export const textOf = (frames: readonly Frame[]): string =>
  frames.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
