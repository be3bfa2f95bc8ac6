export { ImageReader } from './image-reader';
