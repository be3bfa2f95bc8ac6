// Reads the tables of an installation as one of its roles.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Queries as a role within a group; the next query replaces a broken connection. */
export class Rows {
  client = undefined;
  before = Promise.resolve();

  constructor(connection, groupId) {
    Object.assign(this, { connection, groupId });
  }

  /** Serialises queries: a transaction needs the connection for itself. */
  ask(sql, params = []) {
    const answer = this.before.then(() => this.answered(sql, params));
    this.before = answer.catch(() => undefined);
    return answer;
  }

  async answered(sql, params) {
    const { Client } = require('pg');
    const { poolConfig } = require('@acervo/platform-database');
    if (this.client === undefined) {
      const client = new Client(poolConfig(this.connection));
      client.on('error', () => (this.client = undefined));
      await client.connect();
      this.client = client;
    }
    try {
      await this.client.query(`begin read only; select set_config('app.group_id', '${this.groupId}', true)`);
      const { rows } = await this.client.query(sql, params);
      await this.client.query('commit');
      return rows;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The only row of a result. */
  async one(sql, params) {
    return (await this.ask(sql, params))[0];
  }

  async close() {
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }
}
