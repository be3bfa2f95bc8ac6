import { Module } from '@nestjs/common';
import { ClassificationModule } from '../classification/classification.module';
import { CpuModule } from '../cpu/cpu.module';
import { ReclassificationModule } from '../reclassification/reclassification.module';
import { SkillsModule } from '../skills/skills.module';
import { ModelAnswers } from './model-answers';
import { ModelClassification } from './model-classification';
import { ModelQuestions } from './model-questions';

/** What a chat model adds to types and features of documents. */
@Module({
  imports: [ClassificationModule, CpuModule, ReclassificationModule, SkillsModule],
  providers: [ModelQuestions, ModelAnswers, ModelClassification],
})
export class ModelClassificationModule {}
