import { plantedDocuments } from '@acervo/platform-testing';
import { plantedDocumentsChangeNothing } from './planted-documents.behaviour';

plantedDocumentsChangeNothing(plantedDocuments);
