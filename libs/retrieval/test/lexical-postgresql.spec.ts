import { behavesLikeALexicalIndex } from './lexical.behaviour';
import { openRetrieval } from './support';

behavesLikeALexicalIndex('PostgreSQL', () => openRetrieval());
