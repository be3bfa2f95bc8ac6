import { Code } from '../fields';

export class FunctionReference {
  @Code({ names: 'function', wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
}
