import { ExtractionPool, InlineSource } from '../src';
import { behavesLikeATextSource } from './support/text-source-behaviour';

behavesLikeATextSource('reading where it is called', () => Promise.resolve(new InlineSource()));
behavesLikeATextSource('reading in processes of their own', () => Promise.resolve(new ExtractionPool()));
