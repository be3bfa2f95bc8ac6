import { Module } from '@nestjs/common';
import { AcquisitionPrompts } from './acquisition-prompts';

/** The instructions by which documents are acquired, for those who show or follow them. */
@Module({ providers: [AcquisitionPrompts], exports: [AcquisitionPrompts] })
export class AcquisitionPromptsModule {}
