import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import {
  BULK_DATASETS,
  BULK_DOCS_PATH,
  BULK_FORMATS,
  BULK_PARTS,
  type BulkDataset,
  type BulkList,
  bulkList,
} from '../../contract/bulk.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'

/** The datasets of the bulk exports. */
export const listBulkDatasets = endpoint({
  id: 'listBulkDatasets',
  method: 'get',
  path: '/bulk',
  tag: 'Bulk',
  summary: 'List datasets',
  description: `Returns every dataset with its formats and the partitions of its files by year. Needs no key; the files need the ${lowestPlan(({ bulk }) => bulk)} plan.`,
  plan: 'Open',
  status: 'live',
  cache: '6h',
  reply: bulkList,
  example: present(['prices-daily']),
  handle: async () => present(BULK_DATASETS),
})

function present(names: readonly BulkDataset[]): BulkList {
  return {
    count: names.length,
    datasets: names.map((dataset) => ({
      ...{ dataset, title: DATASETS[dataset].title, formats: [...BULK_FORMATS], parts: [...BULK_PARTS[dataset]] },
      file: `/v1/bulk/${dataset}`,
    })),
    documentation: BULK_DOCS_PATH,
  }
}
