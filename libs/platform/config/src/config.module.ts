import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { type Environment, readConfigs, type SettingsClass } from './settings';

/** The environment variables of one application; its creator provides them. */
export const ENVIRONMENT = Symbol('acervo:environment');
/** The name of the service that an application runs. */
export const SERVICE_NAME = Symbol('acervo:service-name');

const SETTINGS = Symbol('acervo:settings');

const providerOf = (type: SettingsClass): FactoryProvider => ({
  provide: type,
  inject: [SETTINGS],
  useFactory: (settings: ReadonlyMap<SettingsClass, object>) => settings.get(type),
});

/** Provides settings classes as their own tokens, read once from the environment of the application. */
@Module({})
export class ConfigModule {
  /** @throws InvalidConfiguration at start-up, with every problem of every class in one message */
  static forRoot(types: readonly SettingsClass[]): DynamicModule {
    const settings: FactoryProvider = {
      provide: SETTINGS,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => readConfigs(types, environment),
    };
    return {
      module: ConfigModule,
      global: true,
      providers: [settings, ...types.map(providerOf)],
      exports: [...types],
    };
  }
}
