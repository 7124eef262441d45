/** A dataset as a Data Package (https://datapackage.org), with signed download URLs of its files. */
import * as z from 'zod'

const field = z.strictObject({
  name: z.string().meta({ example: 'starts_at' }),
  type: z.string().meta({ description: 'As in Table Schema.', example: 'datetime' }),
  description: z.string().meta({ example: 'Start of the interval, UTC.' }),
  constraints: z.strictObject({ required: z.boolean().meta({ example: true }) }),
})

const resource = z.strictObject({
  profile: z.literal('data-resource'),
  name: z.string().meta({ example: 'pun-hourly-nord-2024-9f86d081-1' }),
  path: z.url().meta({
    description: 'Signed address of the file, valid for one hour; needs no key.',
    example: 'https://energy.example/downloads/pun-hourly-nord-2024-9f86d081-1.parquet?expires=1795259467&signature=…',
  }),
  format: z.literal('parquet'),
  mediatype: z.string().meta({ example: 'application/vnd.apache.parquet' }),
  bytes: z.int().positive().meta({ example: 61_204 }),
  hash: z.string().meta({ description: 'SHA-256 of the file.', example: `sha256:${'a'.repeat(64)}` }),
  schema: z.strictObject({
    fields: z.array(field),
    primaryKey: z
      .array(z.string())
      .optional()
      .meta({ description: 'Absent where a part of it may be missing.', example: ['zone', 'starts_at'] }),
  }),
})

export const dataPackageReply = z
  .strictObject({
    profile: z.literal('data-package'),
    name: z.string().meta({ description: 'The dataset.', example: 'pun-hourly' }),
    id: z.string().meta({ description: 'Of the state that it describes.', example: 'pun-hourly-81985529216' }),
    title: z.string(),
    created: z.iso.datetime().meta({ description: 'When the state was taken, UTC.', example: '2026-11-21T03:41:07Z' }),
    sources: z.array(z.strictObject({ title: z.string(), path: z.string() })).optional(),
    licenses: z
      .array(z.strictObject({ path: z.string(), title: z.string() }))
      .optional()
      .meta({ description: 'Terms of the publishers.' }),
    contributors: z.array(z.strictObject({ title: z.string(), role: z.literal('publisher') })),
    resources: z.array(resource),
  })
  .meta({ id: 'DataPackage', description: 'The files by year of a dataset, described by Data Package, version 1.' })
