import { plantedDocuments } from '@acervo/platform-testing';
import { plantedAnswersAreHarmless } from '../../test/planted-answers.behaviour';

plantedAnswersAreHarmless(plantedDocuments);
