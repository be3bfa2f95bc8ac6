import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse } from '@nestjs/swagger';
import { map, type Observable } from 'rxjs';
import type { Response } from 'express';
import { encode } from '@acervo/contracts';
import { Page } from './page';

const ANSWER = Symbol('acervo:answer');

/** Declares what a route answers: documented as 200, and the only fields that leave. */
export const Answers = (type: Type): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOkResponse({ type, description: 'The answer' }),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) =>
      Reflect.defineMetadata(ANSWER, type, descriptor.value as object),
  );

export const answerOf = (handler: object): Type | undefined => Reflect.getMetadata(ANSWER, handler) as Type | undefined;

/** A page leaves with its own policy instead of the general one. */
const written = ({ html, policy }: Page, context: ExecutionContext): string => {
  const response = context.switchToHttp().getResponse<Response>();
  response.type('html').setHeader('Content-Security-Policy', policy).setHeader('Cache-Control', 'no-cache');
  return html;
};

/** Declares that a route answers a page: for people, and not part of the published reference. */
export const AnswersPage = (): MethodDecorator => applyDecorators(Answers(Page), ApiExcludeEndpoint());

/** Writes answers from their declared class: a property that nobody declared stays inside. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const type = answerOf(context.getHandler());
    if (type === undefined) return next.handle();
    if (type === Page) return next.handle().pipe(map((page: Page) => written(page, context)));
    return next.handle().pipe(map((value: object) => encode(type, value)));
  }
}
