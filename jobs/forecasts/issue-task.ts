/** Makes the forecasts of one issue: the model that speaks and the benchmark, each as far as forecasts reach. */
import { createHash } from 'node:crypto'
import { type History, historyAt } from '../../models/history.ts'
import { FORECAST_ASSETS, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import { artefactOf } from './artefact-bytes.ts'
import { priceRecord } from './price-record.ts'
import { infoDay, type Models, modelsFor, speak, speakAnew, stateName } from './speakers.ts'
import type { ArtefactBytes, AssetIssue, IssueResult, IssueTask, MadeForecast, Refusal } from './task.ts'

export async function runIssueTask(task: IssueTask, models: readonly ForecastModel[]): Promise<IssueResult> {
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const history = historyAt(priceRecord(task.versions, now), now)
  const assets: IssueResult['assets'] = []
  for (const asked of task.assets) assets.push(await issueOf(asked, modelsFor(models, asked.asset), history))
  return { kind: 'issue', assets }
}

async function issueOf(
  { asset, model, artefacts }: IssueTask['assets'][number],
  models: Models,
  history: History,
): Promise<AssetIssue | Refusal> {
  try {
    const info = infoDay(history, asset, models.base)
    const about = { asset, history, info }
    const spoken = await published(
      artefacts,
      model === models.benchmark.id ? models.benchmark : models.base,
      models,
      about,
    )
    const benchmark = await speakAnew('benchmark', models.benchmark, about)
    const made = spoken.forecasts
    return {
      asset,
      outcome: 'made',
      infoDate: (made[0] as MadeForecast).infoDate,
      inputsSha256: inputsSha256(history, spoken.artefact),
      forecasts: [...made, ...benchmark],
      artefactProblems: spoken.problems,
    }
  } catch (err) {
    if (err instanceof TooLittleHistory) return { asset, outcome: 'refused', reason: err.message }
    throw err
  }
}

/** By the newest artefact that is sound; where there is none, by a model that needs none. */
async function published(
  artefacts: readonly ArtefactBytes[],
  otherwise: ForecastModel,
  models: Models,
  about: { asset: ForecastAsset; history: History; info: number },
): Promise<{ forecasts: MadeForecast[]; artefact: ArtefactBytes | undefined; problems: string[] }> {
  const problems: string[] = []
  for (const artefact of artefacts) {
    try {
      return { forecasts: spokenByArtefact(artefact, models, about), artefact, problems }
    } catch (err) {
      // Another version's, damaged, or too little history for it: the event says why.
      if (!(err instanceof RangeError || err instanceof SyntaxError || err instanceof TooLittleHistory)) throw err
      problems.push(err.message)
    }
  }
  return { forecasts: await speakAnew('published', otherwise, about), artefact: undefined, problems }
}

function spokenByArtefact(
  stored: ArtefactBytes,
  { trained }: Models,
  about: { asset: ForecastAsset; history: History; info: number },
): MadeForecast[] {
  const model = trained.find(({ id }) => id === stored.model)
  if (model === undefined) throw new RangeError(`there is no model ${stored.model} for ${about.asset} any more`)
  const artefact = artefactOf(stored.content)
  return speak({ ...about, role: 'published', model, artefact, state: stateName(stored) })
}

/** SHA-256 over each asset's name, first day and prices as little-endian doubles, and over the artefact where one spoke. */
function inputsSha256(history: History, artefact: ArtefactBytes | undefined): string {
  const hash = createHash('sha256')
  for (const asset of FORECAST_ASSETS) {
    const { firstDay, prices } = history.series[asset]
    const bytes = new DataView(new ArrayBuffer(prices.length * 8))
    prices.forEach((price, i) => {
      bytes.setFloat64(i * 8, price, true)
    })
    hash.update(`${asset}|${firstDay}|`, 'utf8').update(bytes)
  }
  if (artefact !== undefined) hash.update(artefact.content)
  return hash.digest('hex')
}
