/** `/docs/reference`, `/docs/reference/<tag>`: the OpenAPI operations with code, limits and errors, and a form to try reads and calculations. */

import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { ERRORS } from '../../api/contract/errors.ts'
import { BASE_PATH, DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import type { PlanList } from '../../api/contract/plan-list.ts'
import { TAGS, type Tag } from '../../api/contract/tags.ts'
import { endpoints } from '../../api/endpoints/index.ts'
import { getPlans } from '../../api/endpoints/plans/get-plans.ts'
import { CACHE_TIMES, type Endpoint, endpointName, endpointStatus } from '../../api/http/endpoint.ts'
import { errorCodes } from '../../api/http/openapi-responses.ts'
import {
  type Argument,
  type JsonSchema,
  type OpenapiDocument,
  type Operation,
  operationsOf,
} from '../../clients/generate/operations.ts'
import { pythonName, snakeCase } from '../../clients/generate/python.ts'
import { type Html, html, sentence } from '../html.ts'
import { endpointTexts, fieldDescription } from '../i18n/endpoints.ts'
import { errorCodeTexts } from '../i18n/error-codes.ts'
import { planTexts } from '../i18n/plans.ts'
import { referenceTexts } from '../i18n/reference.ts'
import { page } from '../page.ts'
import { planAnchor } from '../parts/plan-table.ts'
import type { View } from '../view.ts'
import { planFacts } from './plans.ts'

const PATH = '/docs/reference'
const slugOf = (tag: Tag) => tag.toLowerCase().replaceAll(' ', '-')
const TAG_NAMES = Object.keys(TAGS) as Tag[]

const pathOfTag = (tag: Tag) => `${PATH}/${slugOf(tag)}`
export const referenceTagPaths = TAG_NAMES.map(pathOfTag)

/** Read when a page first needs it. */
let openapiCache: { document: OpenapiDocument; operations: Map<string, Operation> } | undefined
function openapi() {
  if (openapiCache !== undefined) return openapiCache
  const document: OpenapiDocument = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))
  openapiCache = { document, operations: new Map(operationsOf(document).map((one) => [one.id, one])) }
  return openapiCache
}

const liveOf = (tag: Tag, coming: ReadonlySet<string>) =>
  endpoints.filter((one) => one.tag === tag && endpointStatus(one, coming) === 'live')

/** Every operation in a table. */
export const referencePage = page({
  path: PATH,
  keptSeconds: 3_600,
  render({ view, service }) {
    const texts = referenceTexts[view.language]
    const { baseUrl, comingEndpoints } = service.config
    const heads = [texts.operation, texts.plan, texts.formats, texts.kept]
    return {
      title: texts.title,
      description: texts.lead,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
<p>${texts.base} <code>${baseUrl.origin}${BASE_PATH}</code>. ${sentence(texts.key)}</p>
<p>${texts.other} <a href="${BASE_PATH}/openapi.json"><code>${BASE_PATH}/openapi.json</code></a>, <a href="${BASE_PATH}/docs/"><code>${BASE_PATH}/docs</code></a></p>
${TAG_NAMES.map((tag) => [tag, liveOf(tag, comingEndpoints)] as const)
  .filter(([, list]) => list.length > 0)
  .map(
    ([
      tag,
      list,
    ]) => html`<h2 id="${slugOf(tag)}"><a href="${view.href(pathOfTag(tag))}">${planTexts[view.language].tags[tag]}</a></h2>
<p class="soft">${texts.tags[tag]}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="${slugOf(tag)}"><table class="endpoints">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${list.map((one) => tableRow(one, view))}</tbody></table></div>
`,
  )}`,
    }
  },
})

function tableRow(endpoint: Endpoint, view: View): Html {
  const { id, method, path, plan, formats, tag } = endpoint
  return html`<tr><th scope="row"><a href="${view.href(`${pathOfTag(tag)}#${id}`)}">${endpointTexts(endpoint, view.language).summary}</a> <code>${method.toUpperCase()} ${path}</code></th><td>${plan}</td><td>${formats.join(', ')}</td><td>${cacheTime(endpoint, view)}</td></tr>\n`
}

function cacheTime({ cache }: Endpoint, view: View): string {
  const texts = referenceTexts[view.language]
  const seconds = CACHE_TIMES[cache]
  if (seconds === 0) return texts.notKept
  return seconds < 3_600 ? texts.minutes(seconds / 60) : texts.hours(seconds / 3_600)
}

/** The operations of a tag: navigation, description, code. */
export const referenceTagPage = page({
  path: `${PATH}/{tag}`,
  pathSchema: z.object({ tag: z.enum(TAG_NAMES.map(slugOf)) }),
  keptSeconds: 3_600,
  async render({ path, view, service, ask }) {
    const texts = referenceTexts[view.language]
    const { tags } = planTexts[view.language]
    const current = TAG_NAMES.find((one) => slugOf(one) === path.tag) ?? 'Current prices'
    const { baseUrl, comingEndpoints } = service.config
    const list = liveOf(current, comingEndpoints)
    const { plans } = await ask<PlanList>(getPlans)
    const limits = (endpoint: Endpoint) => {
      const plan = plans.find(({ name }) => name === endpoint.plan)
      return plan && planFacts(plan, view)
    }
    return {
      title: `${texts.title}: ${tags[current]}`,
      description: texts.tags[current],
      section: 'docs',
      scripts: ['reference.js'],
      fieldsAt: 'fields',
      main: html`<p class="lead">${texts.tags[current]}</p>
<div class="reference">
<nav aria-label="${texts.title}">
<ul class="buttons" aria-label="${texts.groups}"><li><a class="button" href="${view.href(PATH)}">${texts.title}</a></li>
${TAG_NAMES.map((tag) => html`<li><a class="button" href="${view.href(pathOfTag(tag))}"${tag === current && html` aria-current="page"`}>${tags[tag]}</a></li>\n`)}</ul>
<ul class="here" aria-label="${texts.operations}">${list.map((one) => html`<li><a href="#${one.id}">${endpointTexts(one, view.language).summary}</a></li>\n`)}</ul>
</nav>
<div id="fields">
<form class="row trial" id="key-form" data-unreachable="${texts.unreachable}"><div class="field"><label for="key">${texts.yourKey}</label><input id="key" type="password" autocomplete="off" spellcheck="false" maxlength="64" aria-describedby="key-kept"></div>
<p class="hint" id="key-kept">${texts.keyKept} <a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.getKey}</a></p></form>
${list.map((one) => operationSection(one, { view, origin: baseUrl.origin, limits: limits(one) }))}</div>
</div>`,
    }
  },
})

interface OperationContext {
  view: View
  origin: string
  limits: string | undefined
}

function operationSection(endpoint: Endpoint, { view, origin, limits }: OperationContext): Html {
  const texts = referenceTexts[view.language]
  const { id, plan, formats } = endpoint
  const operation = openapi().operations.get(id)
  if (operation === undefined) throw new Error(`openapi.json has no ${id}: npm run openapi`)
  const { intervalDaysMax: span } = operation
  const spanText =
    typeof span === 'object'
      ? Object.entries(span)
          .map((one) => one.join(' '))
          .join(', ')
      : span
  const facts = [
    [texts.plan, html`<a href="${view.href(`/plans#${planAnchor(plan)}`)}">${plan}</a>: ${limits}`],
    [texts.formats, html`${formats.join(', ')}`],
    [texts.kept, html`${cacheTime(endpoint, view)}`],
    ...(spanText === undefined ? [] : [[texts.span, html`${spanText}`]]),
  ]
  const codes = errorCodes(endpoint)
  const { parameters, body, reply } = shownFields(operation)
  const { meanings } = errorCodeTexts[view.language]
  return html`<section class="operation" aria-labelledby="${id}">
<div>
<h2 id="${id}">${endpointTexts(endpoint, view.language).summary}</h2>
<p><code>${endpointName(endpoint)}</code></p>
<p>${sentence(endpointTexts(endpoint, view.language).description)}</p>
<dl class="plain small">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${parameters.length > 0 && html`<h3>${texts.parameters}</h3>${fieldList(parameters, view)}`}
${operation.body && html`<h3>${texts.body}</h3>${fieldList(body, view)}`}
${operation.reply && html`<details><summary>${texts.fields}</summary>${fieldList(reply, view)}</details>`}
<details><summary>${texts.errors} (${codes.length})</summary><dl>${codes.map(
    (code) =>
      html`<dt><a href="${view.href(`/docs/errors#${code}`)}"><code>${code}</code></a> ${ERRORS[code].status}</dt><dd>${sentence(meanings[code])}</dd>\n`,
  )}</dl></details>
</div>
<div>
${codeExamples(operation, endpoint, { view, origin })}
${operation.reply && html`<details open><summary>${texts.response}</summary><pre tabindex="0"><code>${JSON.stringify(endpoint.example, null, 2)}</code></pre></details>`}
${canBeTried(endpoint) && tryItForm(operation, endpoint, view)}
</div>
</section>
`
}

interface Field {
  name: string
  type: string
  isRequired: boolean
  description: string
}

/** Parameters, body and response of an operation, as its section lists them. */
export function shownFields({ arguments: parameters, body, reply }: Operation) {
  return {
    parameters: parameters.map(fieldOf),
    body: body ? fieldsOf(body) : [],
    reply: reply ? fieldsOf(reply) : [],
  }
}

function fieldList(fields: readonly Field[], { language }: View): Html {
  const { required } = referenceTexts[language]
  return html`<dl class="parameters">${fields.map(
    ({ name, type, isRequired, description }) =>
      html`<dt><code>${name}</code> <span class="soft small"><code>${type}</code>${isRequired && html` · ${required}`}</span></dt><dd>${sentence(fieldDescription(description, language))}</dd>\n`,
  )}</dl>`
}

const fieldOf = ({ name, schema, isRequired, description }: Argument): Field => ({
  ...{ name, isRequired, description },
  type: typeOf(schema),
})

function resolved(schema: JsonSchema): JsonSchema {
  const { $ref: reference, ...own } = schema
  return reference === undefined
    ? schema
    : { ...openapi().document.components.schemas[reference.split('/').at(-1) ?? ''], ...own }
}

const VALUES_SHOWN = 8

function typeOf(schema: JsonSchema): string {
  const one = resolved(schema)
  const alternatives = one.anyOf ?? one.oneOf
  if (one.const !== undefined) return JSON.stringify(one.const)
  if (one.enum && one.enum.length <= VALUES_SHOWN) return one.enum.join(' | ')
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ')
  if (one.items) return `${typeOf(one.items)}[]`
  return String(one.format ?? one.type ?? 'any')
}

const DEPTH_MAX = 2

/** Fields of a body or a reply, with those of nested objects: `hours[].value`. */
function fieldsOf(schema: JsonSchema, prefix = '', depth = 0): Field[] {
  const one = resolved(schema)
  if (one.items) return fieldsOf(one.items, `${prefix.replace(/\.$/, '')}[].`, depth)
  const own = Object.entries(one.properties ?? {}).flatMap(([name, property]) => [
    {
      name: prefix + name,
      type: typeOf(property),
      isRequired: false,
      description: resolved(property).description ?? '',
    },
    ...(depth < DEPTH_MAX ? fieldsOf(property, `${prefix}${name}.`, depth + 1) : []),
  ])
  const others = (one.anyOf ?? one.oneOf ?? []).flatMap((alternative) => fieldsOf(alternative, prefix, depth))
  return [...new Map([...own, ...others].map((field) => [field.name, field])).values()]
}

/** Parameters omitted from examples: presentation, and those that only matter after a correction. */
const RARELY_USED = ['sep', 'decimal', 'times', 'as_of', 'cursor', 'stream', 'explain']
const OPTIONAL_SHOWN = 2

interface Call {
  arguments: [name: string, value: string | number][]
  body: unknown
}

/** Required parameters and the first optional ones, with the document's examples. */
function exampleCall({ arguments: all }: Operation, { body }: Endpoint): Call {
  const optional = all
    .filter(({ name, isRequired }) => !isRequired && !RARELY_USED.includes(name))
    // `zone` replaces `asset`, so examples show only one of them.
    .filter(({ name }, _, those) => name !== 'zone' || those.every((other) => other.name !== 'asset'))
  const shown = [...all.filter(({ isRequired }) => isRequired), ...optional.slice(0, OPTIONAL_SHOWN)]
  return {
    arguments: shown.map(({ name, schema }) => [name, exampleOf(schema)]),
    body: body?.meta()?.example,
  }
}

function exampleOf(schema: JsonSchema): string | number {
  const { example, enum: values, type } = resolved(schema)
  const value = example ?? values?.[0] ?? ''
  return type === 'number' || type === 'integer' ? Number(value) : String(value)
}

/** `/v1/prices/pun/series?from=2026-10-22` */
export function addressOf({ path, query }: Operation, call: Call): string {
  const given = call.arguments.filter(([name]) => query.includes(name)).map(([name, value]) => [name, String(value)])
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(new Map(call.arguments).get(name)))
  return `${BASE_PATH}${filled === '/' ? '' : filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}

function codeExamples(
  operation: Operation,
  endpoint: Endpoint,
  { view, origin }: Omit<OperationContext, 'limits'>,
): Html {
  const { id } = operation
  const call = exampleCall(operation, endpoint)
  const code = {
    curl: curlCode(operation, endpoint, origin + addressOf(operation, call), call.body),
    Python: pythonCode(operation, call, origin),
    TypeScript: typescriptCode(operation, call, origin),
  }
  return html`<fieldset class="codes"><legend>${referenceTexts[view.language].language}</legend>
${Object.keys(code).map((name, i) => html`<label><input type="radio" name="code-${id}" value="${name}"${i === 0 && html` checked`}> ${name}</label>\n`)}
${Object.entries(code).map(([name, text]) => html`<div class="${name}"><pre tabindex="0"><code>${text}</code></pre></div>\n`)}</fieldset>`
}

function curlCode({ method, isStream }: Operation, { plan }: Endpoint, address: string, body: unknown): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${isStream ? '-N ' : ''}'${address}'`,
    ...(plan === 'Open' ? [] : ["-H 'Authorization: Bearer <API_KEY>'"]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return parts.join(' \\\n  ')
}

function pythonCode({ id, isStream }: Operation, { arguments: given, body }: Call, origin: string): string {
  const values = [
    ...(body === undefined ? [] : [`body=${pythonValue(body)}`]),
    ...given.map(([name, value]) => `${pythonName(name)}=${JSON.stringify(value)}`),
  ].join(', ')
  const head = `from energy_prices import EnergyPrices\n\nclient = EnergyPrices("${origin}", key="<API_KEY>")\n`
  return isStream
    ? `${head}for change in client.stream(${values}):\n    handle(change)`
    : `${head}reply = client.${snakeCase(id)}(${values})`
}

function pythonValue(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return JSON.stringify(value, null, 4).replace(/(?<=[:[,]\s*)(true|false|null)\b/g, (word) => words[word] ?? word)
}

function typescriptCode({ id, isStream }: Operation, { arguments: given, body }: Call, origin: string): string {
  const all = Object.fromEntries([...given, ...(body === undefined ? [] : [['body', body]])])
  const values = Object.keys(all).length === 0 ? '' : objectText(all)
  const head = `import { EnergyPrices } from '@italian-energy-prices/client'\n\nconst client = new EnergyPrices({ url: '${origin}', key: '<API_KEY>' })\n`
  return isStream
    ? `${head}for await (const change of client.stream(${values})) handle(change)`
    : `${head}const reply = await client.${id}(${values})`
}

/** `{ zone: 'nord' }` */
function objectText(value: object): string {
  return JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, "'$1'")
}

/** Reads and calculations only: pages call no endpoint that changes data. */
const canBeTried = ({ method, stream, tag }: Endpoint) =>
  stream === undefined && (method === 'get' || tag === 'Tools' || tag === 'Trading')

function tryItForm(operation: Operation, endpoint: Endpoint, view: View): Html {
  const texts = referenceTexts[view.language]
  const given = new Map(exampleCall(operation, endpoint).arguments)
  const { id, body } = endpoint
  return html`<details class="trial"><summary>${texts.try}</summary>
<form class="form" data-method="${operation.method}" data-path="${BASE_PATH}${operation.path === '/' ? '' : operation.path}">
${operation.arguments.map((one) => tryItField(one, `${id}-${one.name}`, given.get(one.name)))}
${body && html`<div class="field"><label for="${id}-body">${texts.body}</label><textarea id="${id}-body" rows="8" spellcheck="false" lang="en">${JSON.stringify(body.meta()?.example, null, 2)}</textarea></div>`}
<button class="primary">${texts.send}</button>
</form>
<div class="answer" role="region" aria-label="${texts.answer}" tabindex="-1" hidden><p class="small" role="status"></p><pre tabindex="0"></pre></div></details>`
}

function tryItField({ name, schema, isRequired }: Argument, id: string, given: string | number | undefined): Html {
  const { enum: values } = resolved(schema)
  const control = values
    ? html`<select id="${id}" name="${name}" lang="en">${isRequired ? '' : html`<option></option>`}${values.map(
        (value) => html`<option${String(value) === String(given) && html` selected`}>${String(value)}</option>`,
      )}</select>`
    : html`<input id="${id}" name="${name}" value="${given ?? ''}"${isRequired && html` required`} spellcheck="false" autocomplete="off">`
  return html`<div class="field"><label for="${id}"><code>${name}</code></label>${control}</div>\n`
}
