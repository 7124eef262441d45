import * as z from 'zod'
import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import { dataPackage } from '../../../delivery/lake/data-package.ts'
import { bulkDataset } from '../../contract/bulk.ts'
import { dataPackageReply } from '../../contract/data-package.ts'
import { notFound } from '../../contract/errors.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { EXAMPLE_TABLE } from './get-bulk-files.ts'

const EXAMPLE_DATASET = DATASETS['pun-hourly']

/** The files by year of a dataset as open-data tools read them. */
export const getDataPackage = endpoint({
  id: 'getDataPackage',
  method: 'get',
  path: '/bulk/{dataset}/datapackage.json',
  tag: 'Bulk',
  summary: 'Get a Data Package',
  description:
    'Returns the files by year of a dataset as a Data Package: columns with their meaning, publishers with ' +
    'their terms, and each file with its hash and a signed download URL.',
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  pathSchema: z.object({ dataset: bulkDataset }),
  reply: dataPackageReply,
  example: dataPackage(
    { ...EXAMPLE_DATASET, columns: EXAMPLE_DATASET.columns.slice(0, 2) },
    EXAMPLE_TABLE,
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, service, now }) {
    if (service.bulk === undefined)
      throw notFound('Bulk exports are not set up on this service: it has no SECRETS_KEY to sign addresses with.')
    const { baseUrl } = service.config
    const table = await service.bulk.offerTable(dataset, {}, { now, baseUrl })
    return dataPackage(DATASETS[dataset], table, baseUrl)
  },
})
