/** A valid artefact of the active model, with nets small enough to train in a test. */
import { encodeArtefact } from '../../jobs/forecasts/artefact-bytes.ts'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { historyAt, type PriceRecord } from '../../models/history.ts'
import { BUILD } from '../../models/pun-ensemble/build.ts'
import { makeEnsemble, punEnsemble } from '../../models/pun-ensemble/pun-ensemble.ts'

interface SmallTrainingOptions {
  /** Trained when this market day was published. */
  trainedOn: Temporal.PlainDate
  epochs: number
  learWindowDays: number
}

/** In the form that `saveTraining` takes. */
export async function smallTraining(record: PriceRecord, { trainedOn, epochs, learWindowDays }: SmallTrainingOptions) {
  const net = { ...BUILD.net, nets: 1, hidden: 8, epochs }
  const build = {
    ...BUILD,
    net,
    trainingDays: 728,
    learWindowsDays: [learWindowDays],
    boostedTrees: 5,
    dayTrees: { ...BUILD.dayTrees, trees: 5 },
  }
  const at = usualPublication('PUN', trainedOn)
  const artefact = await makeEnsemble(build, punEnsemble.version).train(historyAt(record, at), { asset: 'PUN' })
  const { model, version, span, backend, metrics } = artefact
  const about = { asset: 'PUN', synthetic: false } as const
  const described = { model, version, dataFrom: span.from, dataTo: span.to, backend, metrics, trainedAt: at }
  return {
    artefacts: [{ ...about, ...described, codeVersion: '1.0.0', content: encodeArtefact(artefact) }],
    decision: { ...about, model, decidedAt: at, reason: 'a test', metrics: {} },
    test: { ...about, purpose: 'accuracy' as const, codeVersion: '1.0.0', madeAt: at, forecasts: [] },
  }
}
