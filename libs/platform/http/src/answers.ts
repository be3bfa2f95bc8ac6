import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiResponse } from '@nestjs/swagger';
import { map, type Observable } from 'rxjs';
import type { Response } from 'express';
import { encode } from '@acervo/contracts';
import { Page } from './page';

const ANSWER = Symbol('acervo:answer');

/** The class that a route answers with: one value of it, or a list. */
interface Answer {
  readonly type: Type;
  readonly list: boolean;
}

const answers = (answer: Answer, status: number): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiResponse({ status, type: answer.type, isArray: answer.list, description: 'The answer' }),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) =>
      Reflect.defineMetadata(ANSWER, answer, descriptor.value as object),
  );

/** Declares the answer of a route, status 200 by default; no other fields leave. */
export const Answers = (type: Type, status = 200): MethodDecorator => answers({ type, list: false }, status);

/** The same for a route whose answer is a list, not wrapped into an object. */
export const AnswersList = (type: Type): MethodDecorator => answers({ type, list: true }, 200);

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
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = answerOf(context.getHandler());
    if (answer === undefined) return next.handle();
    const { type, list } = answer;
    if (type === String) return next.handle();
    if (type === Page) return next.handle().pipe(map((page: Page) => written(page, context)));
    if (list) return next.handle().pipe(map((values: readonly object[]) => values.map((value) => encode(type, value))));
    return next.handle().pipe(map((value: object) => encode(type, value)));
  }
}
