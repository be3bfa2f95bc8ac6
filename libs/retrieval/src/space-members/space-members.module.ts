import { Module } from '@nestjs/common';
import { Gathering } from './gathering';
import { MemberStore } from './member.store';
import { ShownDocuments } from './shown-documents';
import { SpaceFreshness } from './space-freshness';
import { SpaceMembers } from './space-members';
import { SpaceStore } from './space.store';

const MEMBERS = [Gathering, MemberStore, ShownDocuments, SpaceFreshness, SpaceMembers, SpaceStore];

/** The members of spaces: gathered when they are wanted or old, and as searches and lists read them. */
@Module({ providers: MEMBERS, exports: MEMBERS })
export class SpaceMembersModule {}
