import { Database } from './transactions';

/** The database for the delivery of events, which precedes the tasks that events cause. */
export class EventsDatabase extends Database {}

/** The database for stages, which come after requests and events. */
export class BackgroundDatabase extends Database {}
