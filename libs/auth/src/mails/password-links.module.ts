import { Module } from '@nestjs/common';
import { PasswordLinks } from './password-links';

/** The links in mails to people. */
@Module({ providers: [PasswordLinks], exports: [PasswordLinks] })
export class PasswordLinksModule {}
