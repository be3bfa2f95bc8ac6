/**
 * Things that one group owns. An identifier of another group is answered as if it did not exist. A `root` is the top of
 * a tree of locations.
 */
export type GroupThing =
  | 'api_key'
  | 'area'
  | 'challenge'
  | 'conversation'
  | 'document'
  | 'document_type'
  | 'entity'
  | 'factor'
  | 'feature'
  | 'feature_category'
  | 'group'
  | 'group_process'
  | 'group_task'
  | 'location'
  | 'process'
  | 'role'
  | 'root'
  | 'run'
  | 'space'
  | 'user';

/** Things that the product owns, the same in every group. */
export type ProductThing = 'application' | 'function' | 'operation' | 'parameter' | 'skill';

/** The thing that the value of a field names; `new …` is an identifier that the sender chooses for a new thing. */
export type Named = GroupThing | ProductThing | `new ${GroupThing | ProductThing}`;
