import { Injectable } from '@nestjs/common';

/**
 * Whether the process has received a stop signal. It is not ready from then on, and still serves: load balancers and
 * callers need time to move to another process.
 */
@Injectable()
export class Draining {
  private isBegun = false;

  get begun(): boolean {
    return this.isBegun;
  }

  begin(): void {
    this.isBegun = true;
  }
}
