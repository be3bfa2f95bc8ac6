import { fewPlantedDocuments } from '@acervo/platform-testing';
import { plantedAnswersAreHarmless } from '../../test/planted-answers.behaviour';

plantedAnswersAreHarmless(fewPlantedDocuments);
