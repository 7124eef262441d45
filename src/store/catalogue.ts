/** The objects of the database according to its catalogue: the source of `sql/schema.sql` and `schema.generated.ts`. */
import type { Sql } from './database.ts'
import { queryText } from './sql-files.ts'

export interface Catalogue {
  relations: Relation[]
  functions: CatalogueFunction[]
}

interface CatalogueFunction {
  kind: 'function' | 'aggregate'
  /** With the types of its arguments: `analytics.duration_curve(text,date,date)`. */
  signature: string
  definition: string
  /** Names and types: `zone text, first_day date`. */
  arguments: string
  /** A type, or the columns: `TABLE(rank bigint, price_eur_mwh double precision)`. */
  result: string
  comment: string | null
}

export interface Relation {
  name: string
  kind: 'table' | 'unlogged table' | 'continuous aggregate' | 'view'
  comment: string | null
  /** The query of a view or an aggregate. */
  definition: string | null
  /** For an aggregate: whether it returns refreshed rows only. */
  materialized_only: boolean | null
  /** For a hypertable: the partitioning arguments of `create_hypertable`. */
  partitioning: string | null
  columns: Column[]
  constraints: string[]
  /** `using btree (…)`, without names; those of an aggregate are on its materialised rows. */
  indexes: string[]
}

export interface Column {
  name: string
  /** As SQL spells it: `timestamp with time zone`. */
  type: string
  /** The catalogue reports every column of a view as nullable. */
  nullable: boolean
  default: string | null
  identity: boolean
  comment: string | null
}

export async function readCatalogue(sql: Sql): Promise<Catalogue> {
  return {
    relations: await sql.unsafe<Relation[]>(queryText('catalogue_list_relations')),
    functions: await sql.unsafe<Catalogue['functions']>(queryText('catalogue_list_functions')),
  }
}
