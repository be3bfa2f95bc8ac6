export { compareNow, printAgreement } from './agreement';
export { followSwitch } from './embedder-switch';
export { type Figures, figuresOf, Pace, together } from './figures';
export { rebuild } from './rebuild';
export { linesOn, type Screen } from './screen';
