/** Describes content, sources and terms of a table's files as a Data Package (https://datapackage.org). */
import { BULK_FILE_TYPES } from '../../api/contract/bulk.ts'
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import { type Column, type ColumnType, indexOf } from '../../api/contract/table.ts'
import { sourceDefinition } from '../../publishers/sources.ts'
import type { DownloadableTable } from '../bulk/bulk-export-service.ts'
import type { Dataset } from '../bulk/dataset.ts'

const FIELD_TYPES: Record<ColumnType, string> = {
  text: 'string',
  date: 'date',
  instant: 'datetime',
  integer: 'integer',
  number: 'number',
}

/** Data Package of a snapshot, with the signed URL of each file. Its paths must not begin with a slash. */
export function dataPackage(dataset: Dataset, { snapshot, files }: DownloadableTable, baseUrl: URL) {
  const schema = tableSchema(dataset)
  const publishers = [...new Set(files.flatMap(({ sourceIds }) => sourceIds))]
    .sort()
    .map(sourceDefinition)
    .map(({ name, terms, url }) => ({ name, terms, path: new URL(url, baseUrl).href }))
  return {
    profile: 'data-package' as const,
    name: dataset.name,
    id: `${dataset.name}-${snapshot.id}`,
    title: dataset.title,
    created: snapshot.takenAt.toString(),
    ...(publishers.length > 0 && {
      sources: publishers.map(({ name, path }) => ({ title: name, path })),
      licenses: publishers.map(({ path, terms }) => ({ path, title: terms })),
    }),
    contributors: [{ title: SERVICE_NAME, role: 'publisher' as const }],
    resources: files.map((file) => ({
      profile: 'data-resource' as const,
      name: file.name.replace(/\.parquet$/, '').toLowerCase(),
      path: file.url,
      format: 'parquet' as const,
      mediatype: BULK_FILE_TYPES.parquet.mediaType,
      bytes: file.bytes,
      hash: `sha256:${file.sha256}`,
      schema,
    })),
  }
}

/** A nullable column cannot be part of a primary key. */
function tableSchema({ columns, sortedBy }: Dataset) {
  const isKey = sortedBy.every((name) => columns[indexOf(columns, name)]?.nullable === false)
  return { fields: columns.map(fieldOf), ...(isKey && { primaryKey: [...sortedBy] }) }
}

function fieldOf({ name, type, nullable, meaning }: Column) {
  return { name, type: FIELD_TYPES[type], description: meaning, constraints: { required: !nullable } }
}
