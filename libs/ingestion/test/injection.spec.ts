import { fewPlantedDocuments } from '@acervo/platform-testing';
import { plantedDocumentsChangeNothing } from './planted-documents.behaviour';

plantedDocumentsChangeNothing(fewPlantedDocuments);
