import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { scopeOf } from './request';

/** Limits the requests that are worked on at a time, each group to its share. */
export abstract class RequestAdmission {
  /** @throws Overloaded when too many requests wait */
  abstract run<T>(groupId: string, work: () => Promise<T>): Promise<T>;
}

/** Admits a request of a verified caller, behind the check of its rights and before its input is decoded. */
@Injectable()
export class AdmissionInterceptor implements NestInterceptor {
  constructor(@Optional() private readonly admission?: RequestAdmission) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const scope = scopeOf(context.switchToHttp().getRequest<Request>());
    if (this.admission === undefined || scope === undefined) return next.handle();
    return from(this.admission.run(scope.groupId, () => lastValueFrom(next.handle())));
  }
}
