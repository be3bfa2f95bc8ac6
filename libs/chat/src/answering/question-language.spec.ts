import type { LanguageCode } from '@acervo/analysis';
import { questionLanguage } from './question-language';

const QUESTIONS: readonly (readonly [LanguageCode, string])[] = [
  ['es', '¿Cuál es la fianza?'],
  ['es', 'cual es la fianza'],
  ['es', '¿Cuándo vence el contrato?'],
  ['es', 'cuando vence el contrato de mantenimiento'],
  ['es', '¿Quién preside la junta?'],
  ['es', '¿Y en 2023?'],
  ['es', 'cuanto cuesta el menu del comedor'],
  ['es', '¿Se admiten mascotas?'],
  ['es', 'Plazo para pedir vacaciones'],
  ['es', 'Resume el acta de la asamblea'],
  ['es', '¿Qué cubre el seguro de la almazara?'],
  ['es', 'dónde se presentan las solicitudes'],
  ['es', 'hay que firmar las facturas de más de 3000 euros'],
  ['es', '¿Por qué se inundó la caseta?'],
  ['en', 'What is the deposit?'],
  ['en', 'When does the contract expire?'],
  ['en', 'who chairs the committee'],
  ['en', 'And in 2023?'],
  ['en', 'How much is lunch in the canteen?'],
  ['en', 'Are pets allowed?'],
  ['en', 'deadline for leave requests'],
  ['en', 'Why did the pump house flood?'],
  ['en', 'Summarise the purchasing policy'],
  ['en', 'Can I work from home?'],
  ['en', 'Which purchases need two quotes?'],
  ['de', 'Wie hoch ist die Kaution?'],
  ['de', 'Wann endet der Vertrag?'],
  ['de', 'Wer leitet den Ausschuss?'],
  ['fr', 'Quel est le montant de la caution ?'],
  ['fr', "Qui préside l'assemblée ?"],
  ['fr', 'Combien coûte le repas ?'],
  ['pt', 'Qual é o valor da caução?'],
  ['pt', 'Quem preside a comissão?'],
  ['pt', 'Quando termina o contrato?'],
  ['it', 'Quanto costa il pranzo alla mensa?'],
  ['it', 'Chi presiede il comitato?'],
  ['it', "Qual è l'importo della cauzione?"],
  ['ca', 'Quina és la fiança?'],
  ['ca', 'Quan venç el contracte?'],
  ['ca', 'Qui presideix la junta?'],
  ['gl', 'Cal é a fianza?'],
  ['gl', 'Cando vence o contrato?'],
  ['gl', 'Quen preside a xunta?'],
  ['eu', 'Zenbat da fidantza?'],
  ['eu', 'Noiz amaitzen da kontratua?'],
  ['eu', 'Nor da zuzendaria?'],
];

describe('the language of a question', () => {
  it.each(QUESTIONS)('%s: %s', (language, question) => expect(questionLanguage(question, 'nb')).toBe(language));

  it.each(['PM-77-20491', '2024?', 'teletrabajo', 'Kommentaren', '???', ''])(
    '%s is of the language that the caller names',
    (question) => {
      expect([questionLanguage(question, 'es'), questionLanguage(question, 'en')]).toEqual(['es', 'en']);
    },
  );

  it('a language that the group does not read is never answered', () => {
    expect(questionLanguage('Quel est le montant de la caution ?', 'en', ['es', 'en'])).not.toBe('fr');
  });

  it('a long text of one letter is read in linear time', () => {
    expect(questionLanguage(`¿${'a'.repeat(200_000)}`, 'es')).toBeDefined();
  });
});
