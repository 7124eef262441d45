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
  /** Of an aggregate: whether it serves refreshed rows only. */
  materialized_only: boolean | null
  /** Of a hypertable: how `create_hypertable` cuts it. */
  partitioning: string | null
  columns: Column[]
  constraints: string[]
  /** `using btree (…)`, without names; those of an aggregate are on the rows it keeps. */
  indexes: string[]
}

export interface Column {
  name: string
  /** As SQL spells it: `timestamp with time zone`. */
  type: string
  /** The catalogue calls every column of a view nullable. */
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
