/** What is in the files of a table, where it is from and on what terms, as a Data Package (https://datapackage.org). */
import { BULK_FILE_TYPES } from '../../api/contract/bulk.ts'
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import { sourceDefinition } from '../../publishers/sources.ts'
import type { LakeFile, LakeSnapshot } from '../../store/lake-files.ts'
import type { Column, ColumnType } from '../bulk/column.ts'
import type { Dataset } from '../bulk/dataset.ts'

const FIELD_TYPES: Record<ColumnType, string> = {
  text: 'string',
  date: 'date',
  instant: 'datetime',
  integer: 'integer',
  number: 'number',
}

/** Of a snapshot; paths are relative to the folder of the table. */
export function dataPackage(dataset: Dataset, snapshot: LakeSnapshot, files: readonly LakeFile[]) {
  const publishers = [...new Set(files.flatMap(({ sourceIds }) => sourceIds))].sort().map(sourceDefinition)
  return {
    profile: 'data-package',
    name: dataset.name,
    id: `${dataset.name}-${snapshot.id}`,
    title: dataset.title,
    created: snapshot.takenAt.toString(),
    ...(publishers.length > 0 && {
      sources: publishers.map(({ name, url }) => ({ title: name, path: url })),
      licenses: publishers.map(({ url, terms }) => ({ path: url, title: terms })),
    }),
    contributors: [{ title: SERVICE_NAME, role: 'publisher' }],
    resources: files.map((file) => ({
      profile: 'data-resource',
      name: file.name.replace(/\.parquet$/, '').toLowerCase(),
      path: `data/${file.name}`,
      format: 'parquet',
      mediatype: BULK_FILE_TYPES.parquet.mediaType,
      bytes: file.bytes,
      hash: `sha256:${file.sha256}`,
      schema: { fields: dataset.columns.map(fieldOf), primaryKey: [...dataset.sortedBy] },
    })),
  }
}

function fieldOf({ name, type, nullable, meaning }: Column) {
  return { name, type: FIELD_TYPES[type], description: meaning, constraints: { required: !nullable } }
}
