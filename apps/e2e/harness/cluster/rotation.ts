import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseConnection, openPool } from '@acervo/platform-database';
import { stackPassword, stackVariable } from '@acervo/platform-testing';
import { isPasswordOfRole, type Service, SERVICES } from '../deployment/composed-environments';
import type { Cluster, Version } from './cluster';

const newPassword = (role: string): string => `a newer password of ${role}`;
const NEW_PEPPER = 'a newer key pepper of a deployment';

/**
 * The steps of docs/operations.md ("Rotation") on a cluster, the passwords of all roles and the key pepper together:
 * each call is one step, after which every process has the settings of that step.
 */
export class Rotation {
  private readonly oldPepper: string;

  /**
   * @param place the folder of the cluster
   * @param services those that the cluster runs
   */
  constructor(
    private readonly cluster: Cluster,
    private readonly place: string,
    private readonly services: readonly Service[] = SERVICES,
  ) {
    this.oldPepper = readFileSync(this.secret('auth', 'key_pepper'), 'utf8');
  }

  /** Every process knows the new passwords and the new pepper, and uses neither. */
  async add(): Promise<void> {
    for (const program of this.services)
      this.writePasswords(program, (role) => [newPassword(role), stackPassword(role)]);
    this.writePepper();
    await this.rollAll({ auth: currentPepper('1') });
  }

  /** The server has the new passwords, and auth hashes with the new pepper. @throws where migrate fails */
  async promote(): Promise<void> {
    this.writePasswords('migrate', (role) => [newPassword(role), stackPassword(role)]);
    const { code, output } = await this.cluster.run('migrate', []);
    if (code !== 0) throw new Error(`migrate ended with ${code}:\n${output}`);
    await this.cluster.roll('auth', currentPepper('2'));
  }

  /** The old passwords are gone; the highest version of the pepper is the current one. */
  async tidyUp(): Promise<void> {
    for (const program of this.services) this.writePasswords(program, (role) => [newPassword(role)]);
    await this.rollAll({});
  }

  /** Gives the roles of the server the passwords that other suites expect. */
  async undo(): Promise<void> {
    const connection: DatabaseConnection = {
      host: stackVariable('ACERVO_DATABASE_HOST'),
      port: Number(stackVariable('ACERVO_DATABASE_PORT')),
      ...{ database: 'postgres', max: 1 },
      user: stackVariable('ACERVO_DATABASE_ADMIN_USER'),
      password: stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD'),
    };
    const pool = openPool(connection);
    try {
      for (const role of this.rolesOf('migrate'))
        await pool.query(`alter role ${role} password '${stackPassword(role)}'`);
    } finally {
      await pool.end();
    }
  }

  private async rollAll(versions: Partial<Record<Service, Version>>): Promise<void> {
    for (const service of this.services) await this.cluster.roll(service, versions[service]);
  }

  private writePasswords(program: string, lines: (role: string) => readonly string[]): void {
    for (const role of this.rolesOf(program)) writeFileSync(this.secret(program, role), lines(role).join('\n'));
  }

  private writePepper(): void {
    writeFileSync(this.secret('auth', 'key_pepper'), `1:${this.oldPepper},2:${NEW_PEPPER}`);
  }

  private rolesOf(program: string): string[] {
    return readdirSync(join(this.place, program, 'secrets')).filter(isPasswordOfRole);
  }

  private secret(program: string, name: string): string {
    return join(this.place, program, 'secrets', name);
  }
}

const currentPepper = (version: string): Version => ({ environment: { ACERVO_KEY_PEPPER_CURRENT: version } });
