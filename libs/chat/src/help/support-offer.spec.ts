import { acceptsOffer, declinesOffer, OFFER } from './support-offer';

const after = (answer: string) => [
  { question: 'Which colours are there?', answer: 'None.' },
  { question: 'May I choose one?', answer },
];

describe('a reply to the offer of a support request', () => {
  it.each(['sí', 'Si', '¡SÍ!', 'sí, por favor', 'Sí por favor.', 'vale', 'yes', 'Yes, please!', 'ok', 'OK.'])(
    '"%s" accepts',
    (reply) => {
      expect(acceptsOffer(after(OFFER.es), reply)).toBe(true);
      expect(acceptsOffer(after(OFFER.en), reply)).toBe(true);
    },
  );
  it.each(Object.values(OFFER))('the sentence that an offer names accepts it', (offer) => {
    const named = /[«“](.+)[»”]/u.exec(offer)?.[1] ?? '';
    expect(acceptsOffer(after(offer), named)).toBe(true);
    expect(acceptsOffer(after(offer), ` ${named.toLowerCase()}.`)).toBe(true);
  });
  it.each(['no', 'sí, ¿y cómo borro un espacio?', 'How do I say yes?', '', '¿?', 'síii'])(
    '"%s" accepts nothing',
    (reply) => {
      expect(acceptsOffer(after(OFFER.es), reply)).toBe(false);
    },
  );
  it('an offer counts only as the whole latest answer', () => {
    const quoting = after(`The document says: ${OFFER.es}`);
    const earlier = [...after(OFFER.es), { question: 'no', answer: 'No support request is registered.' }];
    for (const exchanges of [[], quoting, earlier]) expect(acceptsOffer(exchanges, 'sí')).toBe(false);
  });
  it('a refusal declines the offer, and nothing without one', () => {
    expect(declinesOffer(after(OFFER.en), 'No, thanks.')).toBe(true);
    expect(declinesOffer(after('Yes.'), 'No, thanks.')).toBe(false);
  });
});
