import { Module } from '@nestjs/common';
import { RunStore } from './run.store';
import { ScanRequests } from './scan-requests';
import { ScanLocks } from './scan-locks';

/** Requests scans, and serialises scans of one root. */
@Module({ providers: [RunStore, ScanLocks, ScanRequests], exports: [RunStore, ScanLocks, ScanRequests] })
export class ScanRequestsModule {}
