import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { map, type Observable } from 'rxjs';
import { encode } from '@acervo/contracts';

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

/** Writes answers from their declared class: a property that nobody declared stays inside. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const type = answerOf(context.getHandler());
    return type === undefined ? next.handle() : next.handle().pipe(map((value: object) => encode(type, value)));
  }
}
