import { type ClientBase, TypeOverrides } from 'pg';
import { registerTypes, toSql } from 'pgvector/pg';

/** A vector as a parameter of a statement. */
export const vectorToSql = (vector: Float32Array): string => toSql(Array.from(vector)) as string;

/**
 * Reads columns of pgvector's types as arrays of numbers. All connections of a pool share the parsers; its first
 * connection looks up the identifiers of the types, before its first statement.
 */
export class VectorTypes {
  readonly parsers = new TypeOverrides();
  private registered: Promise<void> | undefined;

  async registerBy(client: ClientBase): Promise<void> {
    this.registered ??= this.register(client);
    try {
      await this.registered;
    } catch (error) {
      this.registered = undefined;
      throw error;
    }
  }

  private register(client: ClientBase): Promise<void> {
    return registerTypes({
      query: client.query.bind(client),
      setTypeParser: this.parsers.setTypeParser.bind(this.parsers),
    });
  }
}
