/** Operations after creation, shared by alerts and change webhooks. Decisions: "Alerts and webhooks". */
import * as z from 'zod'
import { DELIVERY_HOURS } from '../../../delivery/webhooks/retry-schedule.ts'
import type { RequestedDelivery, WebhookService } from '../../../delivery/webhooks/webhook-service.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { CALLS_PER_MINUTE, deliveryList, rotatedSecret, webhookDelivery } from '../../contract/webhooks.ts'
import { type EndpointRequest, endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_DELIVERIES, EXAMPLE_SECRET, presentDelivery } from './present.ts'
import {
  callerOf,
  checkedDeliveryId,
  checkedId,
  deliveryOrThrow,
  deliveryPathOf,
  noSuch,
  noSuchDelivery,
  pathOf,
  type Subject,
} from './subject.ts'

type Request = Pick<EndpointRequest<{ id: string }, unknown, unknown>, 'path' | 'service' | 'caller'>

/** Operations in the order in which the documentation lists them. */
export function operationsOn<K extends WebhookKind>(subject: Subject<K>) {
  const { kind, noun, name, one } = subject
  const path = `${subject.path}/{id}` as const
  const example = EXAMPLE_DELIVERIES[kind]
  const atMost = `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute per ${noun}.`
  const common = {
    tag: subject.tag,
    plan: 'API',
    cache: 'none',
    pathSchema: pathOf(subject),
    fails: ['not_found'],
  } as const

  const get = endpoint({
    ...common,
    id: `get${name}`,
    method: 'get',
    path,
    summary: `Get ${one}`,
    description: `Returns the ${noun} with its state, without its secret.`,
    reply: subject.schema,
    example: subject.present(subject.example),
    handle: async (request) => subject.present(await own(request, (all, root, id) => all.find(root, id))),
  })

  const remove = endpoint({
    ...common,
    id: `delete${name}`,
    method: 'delete',
    path,
    summary: `Delete ${one}`,
    description: `Deletes the ${noun}, its events and its delivery log. Nothing more is sent.`,
    reply: z.undefined(),
    example: undefined,
    async handle(request) {
      await own(request, async (all, root, id) => (await all.remove(root, id)) || undefined)
      return undefined
    },
  })

  const resume = endpoint({
    ...common,
    id: `resume${name}`,
    method: 'post',
    path: `${path}/resume`,
    summary: `Resume ${one}`,
    description:
      `Reactivates a suspended ${noun} and resets its failure count; deliveries less than ${DELIVERY_HOURS} hours old are retried at once. ` +
      `An active ${noun} stays active and its failure count is reset.`,
    reply: subject.schema,
    example: subject.present(subject.example),
    handle: async (request) => subject.present(await own(request, (all, root, id) => all.resume(root, id))),
  })

  const test = endpoint({
    ...common,
    id: `test${name}`,
    method: 'post',
    path: `${path}/test`,
    summary: `Test ${one}`,
    description:
      `Queues one signed request of type \`${noun}.test\` with the latest ${kind === 'alert' ? 'price of the index' : 'change that it subscribes to, or null'}; ` +
      'the outcome is listed among the deliveries within seconds. It is sent once, even while suspended, and a failure does not count ' +
      `towards the suspension. ${atMost}`,
    reply: webhookDelivery,
    example: { ...example.pending, type: `${noun}.test` },
    handle: async (request) => presented(await own(request, (all, root, id) => all.test(root, id))),
  })

  const verify = endpoint({
    ...common,
    id: `verify${name}`,
    method: 'post',
    path: `${path}/verify`,
    summary: `Verify the receiver of ${one}`,
    description:
      `Sends a challenge to the receiver of ${one} whose \`verification\` is \`pending\`: a signed request of type \`webhook.verification\`, ` +
      `to be answered with a 2xx status and the challenge, as text or as \`{"challenge": "…"}\`. ${atMost}`,
    reply: webhookDelivery,
    example: { ...example.pending, type: 'webhook.verification' },
    handle: async (request) => presented(await own(request, (all, root, id) => all.verify(root, id))),
  })

  const rotateSecret = endpoint({
    ...common,
    id: `rotate${name}Secret`,
    method: 'post',
    path: `${path}/rotate-secret`,
    summary: `Rotate the secret of ${one}`,
    description:
      `Creates a new signing secret and shows it once. For ${DELIVERY_HOURS} hours requests carry both signatures: ` +
      '`webhook-signature` lists the two, and `X-SVC-Signature-Previous` comes with `X-SVC-Signature`.',
    reply: rotatedSecret,
    example: {
      id: subject.example.id,
      signing_secret: EXAMPLE_SECRET,
      previous_secret_valid_until: '2026-11-22T10:00:00Z',
    },
    async handle(request) {
      const { signingSecret, previousUntil } = await own(request, (all, root, id) => all.rotateSecret(root, id))
      return {
        id: request.path.id,
        signing_secret: signingSecret,
        previous_secret_valid_until: toUtcIso(previousUntil),
      }
    },
  })

  const listDeliveries = endpoint({
    ...common,
    id: `list${name}Deliveries`,
    method: 'get',
    path: `${path}/deliveries`,
    summary: `List deliveries of ${one}`,
    description:
      'Returns the latest 100 deliveries, the newest first, each attempt with its time, status, duration and error.',
    reply: deliveryList,
    example: { count: 1, deliveries: [example.done] },
    async handle(request) {
      const deliveries = await own(request, (all, root, id) => all.deliveries(root, id))
      return { count: deliveries.length, deliveries: deliveries.map(presentDelivery) }
    },
  })

  const replay = endpoint({
    ...common,
    id: `replay${name}Delivery`,
    method: 'post',
    path: `${path}/deliveries/{delivery_id}/replay`,
    pathSchema: deliveryPathOf(subject),
    summary: 'Replay an event',
    description: `Queues another delivery of the same event: the same body and \`webhook-id\`, a new timestamp and signature. ${atMost}`,
    reply: webhookDelivery,
    example: example.pending,
    async handle({ path, ...request }) {
      const { own, key } = callerOf(subject, request)
      const id = checkedId(subject, path.id)
      const requested = await own.replay(key.root, id, checkedDeliveryId(subject, path.delivery_id))
      if (requested === undefined) throw noSuchDelivery(subject)
      return presented(requested)
    },
  })

  return { get, remove, resume, test, verify, rotateSecret, listDeliveries, replay }

  /** Runs `act` on the caller's alert or webhook with that id; throws if there is none. */
  async function own<T>(
    { path, ...request }: Request,
    act: (all: WebhookService<K>, root: string, id: string) => Promise<T | undefined>,
  ): Promise<T> {
    const { own, key } = callerOf(subject, request)
    const done = await act(own, key.root, checkedId(subject, path.id))
    if (done === undefined) throw noSuch(subject)
    return done
  }

  function presented(requested: RequestedDelivery) {
    return presentDelivery(deliveryOrThrow(subject, requested))
  }
}
