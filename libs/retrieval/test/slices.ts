import { Database } from '@acervo/platform-database';

/**
 * Stops the clock that slices are measured by, with no request waiting: each full slice is followed by one of twice its
 * size. `jest.restoreAllMocks` ends it.
 */
export const engineWithoutTime = (): void => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  jest.spyOn(Database.prototype, 'isWanted', 'get').mockReturnValue(false);
};
