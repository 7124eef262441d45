/** Brings the table of a dataset in the lake up to date; on failure the snapshot before remains. */
import { z } from 'zod'
import { BULK_DATASETS } from '../src/api/contract/bulk.ts'
import { EXPORT_SECONDS_MAX } from '../src/delivery/bulk/unfinished-files.ts'
import { job } from '../src/service/job.ts'
import { runExportJob } from './export-dataset.ts'

export const publishIcebergTable = job({
  queue: 'bulk.lake',
  payload: z.object({ dataset: z.enum(BULK_DATASETS) }),
  oneWaiting: true,
  once: ({ dataset }) => dataset,
  retry: { limit: 4, backoffSeconds: 15 },
  expireSeconds: EXPORT_SECONDS_MAX,
  heartbeatSeconds: 30,
  async run({ payload: { dataset }, ctx, signal }) {
    const { publishLake } = await import('../src/delivery/lake/publish-lake.ts')
    await runExportJob({ dataset, format: 'lake' }, { ctx, signal }, (publishing) => publishLake(dataset, publishing))
  },
})
