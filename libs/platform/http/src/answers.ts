import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  type StreamableFile,
  type Type,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { map, mergeMap, type Observable } from 'rxjs';
import type { Request, Response } from 'express';
import { encode } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { Draining } from './drain';
import { Page } from './page';
import { requestIdOf } from './request';
import { openStream, type StreamedFrames, streamOf } from './streams';

const ANSWER = Symbol('acervo:answer');

/** The class that a route answers with: one value of it, a list, or a stream of frames. */
interface Answer {
  readonly type: Type;
  readonly list: boolean;
  /** The frame that says why a stream ends early. */
  readonly failure?: StreamedFrames['failure'];
  /** The handler writes the response by itself. */
  readonly isRaw?: true;
}

const declares =
  (answer: Answer): MethodDecorator =>
  (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) =>
    Reflect.defineMetadata(ANSWER, answer, descriptor.value as object);

const answers = (answer: Answer, status: number): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiResponse({ status, type: answer.type, isArray: answer.list, description: 'The answer' }),
    declares(answer),
  );

/** Declares the answer of a route, status 200 by default; no other fields leave. */
export const Answers = (type: Type, status = 200): MethodDecorator => answers({ type, list: false }, status);

/** The same for a route whose answer is a list, not wrapped into an object. */
export const AnswersList = (type: Type): MethodDecorator => answers({ type, list: true }, 200);

/** Declares that a route answers one object whose shape only the owner of its call defines; it leaves unchanged. */
export const AnswersOpenObject = (): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiResponse({ status: 200, schema: { type: 'object', additionalProperties: true }, description: 'The answer' }),
    declares({ type: Object, list: false }),
  );

/**
 * Declares that a route answers a stream of frames, which its handler gives as an async iterable.
 * @param failure the frame that ends a stream whose handler fails after its first frame
 */
export const AnswersStream = <F extends object>(
  type: Type<F>,
  failure: (error: unknown) => F,
  status = 200,
): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiExtraModels(type),
    ApiResponse({
      status,
      description: 'The answer, frame by frame',
      content: { 'text/event-stream': { schema: { $ref: getSchemaPath(type) } } },
    }),
    declares({ type, list: false, failure }),
  );

/**
 * Declares that the handler of a route writes the response by itself: a library that speaks another protocol over HTTP.
 * The route has the signals of a stream, and errors before the first byte are answered as everywhere.
 */
export const AnswersRaw = (): MethodDecorator =>
  applyDecorators(declares({ type: Object, list: false, isRaw: true }), ApiExcludeEndpoint());

export const answerOf = (handler: object): Answer | undefined =>
  Reflect.getMetadata(ANSWER, handler) as Answer | undefined;

/** A page is sent with its own policy instead of the general one. */
const written = ({ html, policy }: Page, context: ExecutionContext): string => {
  const response = context.switchToHttp().getResponse<Response>();
  response.type('html').setHeader('Content-Security-Policy', policy).setHeader('Cache-Control', 'no-cache');
  return html;
};

/** Declares that a route answers plain text unchanged: for machines, not part of the published reference. */
export const AnswersText = (): MethodDecorator => applyDecorators(Answers(String), ApiExcludeEndpoint());

/** Declares that a route answers a page: for people, not part of the published reference. */
export const AnswersPage = (): MethodDecorator => applyDecorators(Answers(Page), ApiExcludeEndpoint());

/** Encodes answers by their declared class: an undeclared property never leaves. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly draining: Draining,
    private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = answerOf(context.getHandler());
    if (answer === undefined) return next.handle();
    const { type, list, failure, isRaw } = answer;
    if (isRaw) {
      const http = context.switchToHttp();
      openStream(http.getRequest<Request>(), http.getResponse<Response>(), this.draining.signal);
    }
    if (failure !== undefined) return this.stream({ type, failure }, context, next);
    if (type === String || type === Object) return next.handle();
    if (type === Page) return next.handle().pipe(map((page: Page) => written(page, context)));
    if (list) return next.handle().pipe(map((values: readonly object[]) => values.map((value) => encode(type, value))));
    return next.handle().pipe(map((value: object) => encode(type, value)));
  }

  private stream(frames: StreamedFrames, context: ExecutionContext, next: CallHandler): Observable<StreamableFile> {
    const [request, response] = [
      context.switchToHttp().getRequest<Request>(),
      context.switchToHttp().getResponse<Response>(),
    ];
    openStream(request, response, this.draining.signal);
    const failed = (error: unknown): void =>
      this.logger.error({ error, requestId: requestIdOf(request) }, 'a stream failed after its first frame');
    return next
      .handle()
      .pipe(mergeMap((source: AsyncIterable<object>) => streamOf(source, frames, context, { failed })));
  }
}
