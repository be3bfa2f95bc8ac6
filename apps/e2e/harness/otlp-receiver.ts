import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly boolValue?: boolean;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Export {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Export[] }[];
  }[];
}

/** A span as received. */
export interface ReceivedSpan {
  readonly service: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]));

const spansOf = ({ resourceSpans }: Batch): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        trace: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId,
        name: span.name,
        attributes: valuesOf(span.attributes),
        failed: span.status.code === 2,
      })),
    ),
  );

/** A receiver of OTLP over HTTP, in JSON, that records everything. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All request bodies, unchanged. */
  raw = '';
  /** The authorisation headers of all requests. */
  readonly authorisations = new Set<string | undefined>();
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      this.raw += text;
      this.authorisations.add(request.headers.authorization);
      if (request.url === '/v1/traces') this.spans.push(...spansOf(JSON.parse(text) as Batch));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async open(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of one trace as `service: name`, each once, sorted by name. */
  named(trace: string): string[] {
    const named = this.spans.filter((span) => span.trace === trace).map(({ service, name }) => `${service}: ${name}`);
    return [...new Set(named)].toSorted();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
