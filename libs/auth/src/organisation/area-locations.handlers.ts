import { Injectable } from '@nestjs/common';
import {
  addAreaLocation,
  type AreaLinks,
  type AreaLinksRequest,
  type AreaLocationEffect,
  type AreaLocationItem,
  type AreaLocationReference,
  type AreaLocationRemoved,
  type AreaLocations,
  type AreaLocationsRequest,
  countAreaLinks,
  listAreaLocations,
  NotFound,
  previewAreaLocationRemoval,
  removeAreaLocation,
} from '@acervo/contracts';
import { Cursors, Handles, pageOf, type WriteContext } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AreaLocationStore } from './area-location.store';
import { AreaStore } from './area.store';
import { Folders } from './folders';
import { Reach } from './reach';

/** Which folders areas reach. A link acts on the next request; no document is read or embedded again for it. */
@Injectable()
export class AreaLocationsHandlers {
  constructor(
    private readonly database: Database,
    private readonly folders: Folders,
    private readonly cursors: Cursors,
    private readonly areas: AreaStore,
    private readonly links: AreaLocationStore,
  ) {}

  @Handles(listAreaLocations)
  async list(scope: Scope, { areaCode, limit, cursor }: AreaLocationsRequest): Promise<AreaLocations> {
    const listing = { call: listAreaLocations, scope, filters: { areaCode } };
    const after = this.cursors.open(listing, cursor);
    const rows = await this.database.read(scope, async (tx) => {
      await this.areas.place(tx, await Reach.of(tx, scope), areaCode);
      return this.links.list(tx, areaCode, after, limit + 1);
    });
    const { items, nextCursor } = pageOf(rows, limit, (code) => this.cursors.seal(listing, code));
    const locations = await this.folders.describe(
      scope,
      items.map(({ code }) => code),
    );
    const names = new Map(locations.map(({ code, name }) => [code, name]));
    return {
      locations: items.map(({ code }) => ({ locationCode: code, name: names.get(code) ?? null })),
      nextCursor,
    };
  }

  /**
   * A caller that reaches only an area of the entity may not add a link, because it would widen its reach.
   * @throws NotFound for a folder that the group lacks, and for one of another entity than the area's.
   */
  @Handles(addAreaLocation)
  async add(
    scope: Scope,
    { areaCode, locationCode }: AreaLocationReference,
    context: WriteContext,
  ): Promise<AreaLocationItem> {
    const folder = await this.folders.one(scope, locationCode);
    return context.write(async (tx) => {
      const reach = await Reach.of(tx, scope);
      const { entityCode } = await this.areas.lock(tx, reach, areaCode);
      reach.assertWholeEntity(entityCode);
      if (folder.entityCode !== entityCode) throw new NotFound();
      await this.links.add(tx, areaCode, locationCode);
      return { locationCode, name: folder.name };
    });
  }

  /** A folder that no longer exists in the group can still be unlinked. @throws NotFound for a missing link. */
  @Handles(removeAreaLocation)
  remove(
    scope: Scope,
    { areaCode, locationCode }: AreaLocationReference,
    context: WriteContext,
  ): Promise<AreaLocationRemoved> {
    return context.write(async (tx) => {
      await this.areas.place(tx, await Reach.of(tx, scope), areaCode);
      if (!(await this.links.remove(tx, areaCode, locationCode))) throw new NotFound();
      return { areaCode, locationCode, removed: true };
    });
  }

  @Handles(countAreaLinks)
  count(scope: Scope, { locationCodes }: AreaLinksRequest): Promise<AreaLinks> {
    return this.database.read(scope, async (tx) => ({ areas: await this.links.areasAt(tx, locationCodes) }));
  }

  @Handles(previewAreaLocationRemoval)
  async previewRemoval(scope: Scope, { areaCode, locationCode }: AreaLocationReference): Promise<AreaLocationEffect> {
    const { users, keys } = await this.database.read(scope, async (tx) => {
      await this.areas.place(tx, await Reach.of(tx, scope), areaCode);
      const counts = await countSelected(tx, this.links.selectAffected(tx, areaCode, locationCode));
      if (counts.links === 0) throw new NotFound();
      return counts;
    });
    const contents = await this.folders.count(scope, { locationCodes: [locationCode] });
    return { areaCode, locationCode, users, keys, ...contents };
  }
}
