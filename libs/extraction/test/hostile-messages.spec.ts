import { defaultLimits, ExtractionRefusal, InlineSource } from '../src';
import { hostileMessages } from './support/hostile-messages';

/** The limits of a reading process, which no file of these reaches before that of its reader. */
const source = new InlineSource({ ...defaultLimits, inflatedBytes: 50_000_000 });
const files = new Map(hostileMessages().map((file) => [file.name, file]));

const outcomeOf = async (name: string): Promise<string> => {
  const file = files.get(name);
  if (file === undefined) throw new Error(`There is no file ${name}.`);
  try {
    return (await source.extract(file)).document.text;
  } catch (error) {
    if (!(error instanceof ExtractionRefusal)) throw error;
    return error.message;
  }
};

describe('mails, signed content and texts that were made to do harm', () => {
  it.each([...files.keys()])('%s gives text or a reason', async (name) => {
    expect((await outcomeOf(name)).length).toBeGreaterThan(0);
  });

  it.each([
    ['partes-hondas.eml', /more than 30 parts inside parts/],
    ['partes-muchas.eml', /more than 20000 parts of a mail/],
    ['buzon-infinito.mbox', /more than 20000 mails/],
    ['firmas-en-firmas.eml', /signatures around signatures/],
    ['firmas-en-firmas.p7m', /signatures around signatures/],
    ['cifrado.p7m', /encrypted for its recipient/],
    ['suelta.p7s', /signature alone/],
    ['bomba.asice', /inflated bytes/],
    ['propiedades.tnef', /more than 20000 properties/],
    ['adjuntos.tnef', /more than 20000 attachments/],
    ['sin-pagina.mhtml', /No text found/],
  ])('%s is refused by the limit of its reader', async (name, reason) => {
    expect(await outcomeOf(name)).toMatch(reason);
  });
});
