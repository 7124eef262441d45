import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../../src/service/config/config.ts'
import { problems } from '../../../support/configuration.ts'
import { scratchFolderOfFile } from '../../../support/scratch-folder.ts'

const folder = await scratchFolderOfFile()

const BUCKET = { BULK_S3_BUCKET: 'energy' }

describe('the bulk exports', () => {
  it('default to files in the data directory, made by this process', () => {
    const bulk = { exports: true, folder: '/srv/energy/bulk', s3: undefined }
    expect(readConfig({ DATA_DIR: '/srv/energy' }).bulk).toEqual(bulk)
  })

  it('may be disabled, and may use another folder', () => {
    expect(readConfig({ BULK_EXPORTS: 'off', BULK_DIR: 'files' }).bulk).toMatchObject({
      exports: false,
      folder: path.resolve('files'),
    })
  })

  it('may be stored in a bucket, by default on AWS with the credentials of the machine', () => {
    expect(readConfig({ ...BUCKET, BULK_DIR: '/scratch' }).bulk).toEqual({
      exports: true,
      folder: '/scratch',
      s3: {
        bucket: 'energy',
        prefix: '',
        region: 'us-east-1',
        endpoint: undefined,
        pathStyle: false,
        credentials: undefined,
      },
    })
  })

  it('may be stored in another S3 store, whose secret is never shown', () => {
    const file = path.join(folder, 'secret')
    writeFileSync(file, 's3cret/of+the=store\n')
    const config = readConfig({
      BULK_S3_BUCKET: 'Energy_prices.files-2',
      BULK_S3_PREFIX: 'bulk/2026/',
      BULK_S3_REGION: 'eu-south-1',
      BULK_S3_ENDPOINT: 'http://minio:9000',
      BULK_S3_PATH_STYLE: 'true',
      BULK_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      BULK_S3_SECRET_ACCESS_KEY_FILE: file,
    })
    const { credentials, ...rest } = config.bulk.s3 ?? {}
    expect(rest).toEqual({
      bucket: 'Energy_prices.files-2',
      prefix: 'bulk/2026/',
      region: 'eu-south-1',
      endpoint: new URL('http://minio:9000'),
      pathStyle: true,
    })
    expect([credentials?.id, credentials?.secret.reveal()]).toEqual(['AKIAEXAMPLE', 's3cret/of+the=store'])
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('s3cret')
  })

  it.each(['abc', 'energy.example', 'arn:aws:s3:eu-south-1:123456789012:accesspoint/energy'])(
    'may be stored in the bucket %s',
    (bucket) => {
      expect(readConfig({ BULK_S3_BUCKET: bucket }).bulk.s3?.bucket).toBe(bucket)
    },
  )

  it.each([
    ['a switch that is neither', { BULK_EXPORTS: 'nightly' }, /BULK_EXPORTS: /],
    ['an address as bucket', { BULK_S3_BUCKET: 's3://energy' }, /BULK_S3_BUCKET: must be the name of a bucket/],
    ['a bucket with a path', { BULK_S3_BUCKET: 'energy/bulk' }, /BULK_S3_BUCKET: must be the name of a bucket/],
    ['a prefix that begins with a slash', { ...BUCKET, BULK_S3_PREFIX: '/bulk/' }, /BULK_S3_PREFIX: /],
    ['a prefix with a query', { ...BUCKET, BULK_S3_PREFIX: 'bulk?x=1/' }, /BULK_S3_PREFIX: /],
    ['a region that is an address', { ...BUCKET, BULK_S3_REGION: 's3.eu-south-1.amazonaws.com' }, /BULK_S3_REGION: /],
    ['an endpoint without a scheme', { ...BUCKET, BULK_S3_ENDPOINT: 'minio:9000' }, /BULK_S3_ENDPOINT: /],
    ['an endpoint of another kind', { ...BUCKET, BULK_S3_ENDPOINT: 's3://minio' }, /BULK_S3_ENDPOINT: /],
    ['a path style that is neither', { ...BUCKET, BULK_S3_PATH_STYLE: 'yes' }, /BULK_S3_PATH_STYLE: /],
    ['an id without its secret', { ...BUCKET, BULK_S3_ACCESS_KEY_ID: 'x' }, /BULK_S3_ACCESS_KEY_ID: .* come together/],
    ['a secret without its id', { ...BUCKET, BULK_S3_SECRET_ACCESS_KEY: 'x' }, /ACCESS_KEY_ID: .* come together/],
    [
      'an id with a space',
      { ...BUCKET, BULK_S3_ACCESS_KEY_ID: 'a b', BULK_S3_SECRET_ACCESS_KEY: 'x' },
      /BULK_S3_ACCESS_KEY_ID: must be visible/,
    ],
    [
      'a secret with a line end',
      { ...BUCKET, BULK_S3_ACCESS_KEY_ID: 'x', BULK_S3_SECRET_ACCESS_KEY: 'secret\n' },
      /BULK_S3_SECRET_ACCESS_KEY: must be visible/,
    ],
    ['a region without a bucket', { BULK_S3_REGION: 'eu-south-1' }, /BULK_S3_REGION: needs BULK_S3_BUCKET/],
  ])('are refused with %s', (_name, variables, reason) => {
    expect(problems(variables as Record<string, string>)).toEqual([expect.stringMatching(reason)])
  })

  it('report every S3 variable that is set without a bucket', () => {
    expect(problems({ BULK_S3_ENDPOINT: 'http://minio:9000', BULK_S3_PATH_STYLE: 'true' })).toEqual([
      '  - BULK_S3_ENDPOINT: needs BULK_S3_BUCKET',
      '  - BULK_S3_PATH_STYLE: needs BULK_S3_BUCKET',
    ])
  })

  it('never repeat a refused secret in the error', () => {
    const variables = { ...BUCKET, BULK_S3_ACCESS_KEY_ID: 'x', BULK_S3_SECRET_ACCESS_KEY: 's3cret key' }
    expect(problems(variables).join()).not.toContain('s3cret')
  })
})
