import {
  deliveryProblems,
  deliveryStates,
  webhookKinds,
  webhookPauses,
  type WireDeliveries,
  type WireDelivery,
  type WireNewWebhook,
  type WirePending,
  type WireReplay,
  type WireReplayed,
  type WireWebhook,
  type WireWebhookChange,
  type WireWebhookMade,
  type WireWebhooks,
} from '@candor/core/protocol/wire/webhooks.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { WebhookHolder, Webhooks } from '../../webhooks/webhooks.ts'
import type { App } from '../app.ts'
import { answers, millis, noContent, nothing, queryInteger, refuse } from '../../http/schema.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import { sessionId as webhookId } from './schema.ts'

const url = z
  .string()
  .max(4_096)
  .meta({ description: 'The URL to which events are posted: public, https.', examples: ['https://hooks.example.com/candor'] })
const password = z.string().max(4_096)
const kind = z.enum(webhookKinds)
const kinds = z.array(kind).max(webhookKinds.length).readonly()

const pending = z.strictObject({
  isDue: z.boolean(),
  triedAt: millis.exactOptional(),
  problem: z.enum([...deliveryProblems, 'challenge']).exactOptional(),
  status: z.int().exactOptional(),
  answer: z.string().exactOptional(),
}) satisfies z.ZodType<WirePending>

export const webhook = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    kinds: z.array(kind).readonly(),
    createdAt: millis,
    pending: pending.exactOptional(),
    off: z.strictObject({ at: millis, by: z.enum(webhookPauses) }).exactOptional(),
    failingSince: millis.exactOptional(),
    oldSecretUntil: millis.exactOptional(),
  })
  .meta({ id: 'Webhook' }) satisfies z.ZodType<WireWebhook>

export const webhookList = z
  .strictObject({ webhooks: z.array(webhook).readonly(), max: z.int(), hasLoopback: z.boolean() })
  .meta({ id: 'Webhooks' }) satisfies z.ZodType<WireWebhooks>

export const webhookMade = z.strictObject({ webhook, secret: z.string() }).meta({ id: 'WebhookMade' }) satisfies z.ZodType<WireWebhookMade>

const newWebhook = z.strictObject({ url, kinds, password }).meta({ id: 'NewWebhook' }) satisfies z.ZodType<WireNewWebhook>

const webhookChange = z
  .strictObject({ kinds: kinds.exactOptional(), isOn: z.boolean().exactOptional() })
  .meta({ id: 'WebhookChange' }) satisfies z.ZodType<WireWebhookChange>

export const delivery = z
  .strictObject({
    sequence: z.int(),
    eventId: z.string(),
    type: z.enum([...webhookKinds, 'test']),
    createdAt: millis,
    state: z.enum(deliveryStates),
    tries: z.int(),
    lastTryAt: millis.exactOptional(),
    nextTryAt: millis.exactOptional(),
    problem: z.enum(deliveryProblems).exactOptional(),
    status: z.int().exactOptional(),
    answer: z.string().exactOptional(),
    tookMs: z.int().exactOptional(),
    body: z.string(),
  })
  .meta({ id: 'Delivery' }) satisfies z.ZodType<WireDelivery>

export const deliveryPage = z
  .strictObject({ deliveries: z.array(delivery).readonly(), next: z.string().exactOptional() })
  .meta({ id: 'Deliveries' }) satisfies z.ZodType<WireDeliveries>

const replay = z.strictObject({ since: millis }).meta({ id: 'Replay' }) satisfies z.ZodType<WireReplay>
export const replayed = z.strictObject({ count: z.int() }).meta({ id: 'Replayed' }) satisfies z.ZodType<WireReplayed>

const sequence = queryInteger(1, Number.MAX_SAFE_INTEGER)
const deliveryId = webhookId.extend({ sequence: z.string().refine((text) => /^[1-9][0-9]{0,14}$/.test(text), refuse('NOT_FOUND')) })
const page = z.strictObject({
  before: sequence.exactOptional(),
  limit: queryInteger(1, 50).exactOptional(),
  state: z.enum(deliveryStates).exactOptional(),
})

const tags = ['webhooks']
const config = { auth: 'session' } as const
/** These routes check the password, so the stricter limits per address apply. */
const confirmed = { auth: 'session', isAuth: true, isLocking: true } as const
/** Each locks the account’s webhooks and writes several rows. */
const writing = { auth: 'session', isLocking: true } as const

/** The URLs to which the user's events are posted. */
export function webhookRoutes(app: App, webhooks: Webhooks, cookies: Cookies): void {
  const holderOf = (request: FastifyRequest): WebhookHolder => ({
    account: request.session.account,
    user: request.session.user,
    session: request.session.id,
    visitor: visitorOf(request, cookies),
  })
  addressRoutes(app, webhooks, holderOf)
  proofRoutes(app, webhooks, holderOf)
  deliveryRoutes(app, webhooks)
  replayRoutes(app, webhooks)
}

type HolderOf = (request: FastifyRequest) => WebhookHolder

function addressRoutes(app: App, webhooks: Webhooks, holderOf: HolderOf): void {
  app.get(
    '/webhooks',
    { config, schema: { tags, summary: 'The user’s webhooks, without secrets', querystring: nothing, response: answers(webhookList) } },
    (request) => webhooks.list(request.session.account),
  )

  app.post(
    '/webhooks',
    {
      config: confirmed,
      schema: {
        tags,
        summary: 'Create a webhook; only this answer contains its secret. Events are sent once its URL has answered a challenge',
        querystring: nothing,
        body: newWebhook,
        response: answers(webhookMade, 201),
      },
    },
    async (request, reply) => reply.code(201).send(await webhooks.create(request.body, holderOf(request))),
  )

  app.patch(
    '/webhooks/:id',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Change the events of a webhook, or switch it on or off',
        params: webhookId,
        querystring: nothing,
        body: webhookChange,
        response: answers(webhook),
      },
    },
    (request) => webhooks.change(request.params.id, request.body, holderOf(request)),
  )

  app.delete(
    '/webhooks/:id',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Delete a webhook and its waiting deliveries',
        params: webhookId,
        querystring: nothing,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      await webhooks.delete(request.params.id, holderOf(request))
      return reply.code(204).send()
    },
  )
}

/** Routes by which the two sides identify each other: the secret that signs, and the challenge that the URL answers. */
function proofRoutes(app: App, webhooks: Webhooks, holderOf: HolderOf): void {
  app.post(
    '/webhooks/:id/secret',
    {
      config: confirmed,
      schema: {
        tags,
        summary: 'Create a new secret; the old one stays valid for one day',
        params: webhookId,
        querystring: nothing,
        body: z.strictObject({ password }),
        response: answers(webhookMade),
      },
    },
    (request) => webhooks.renewSecret(request.params.id, request.body.password, holderOf(request)),
  )

  app.post(
    '/webhooks/:id/challenge',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Repeat the challenge to the URL of a pending webhook',
        params: webhookId,
        querystring: nothing,
        response: answers(webhook, 202),
      },
    },
    async (request, reply) => reply.code(202).send(await webhooks.challenge(request.params.id, request.session.account)),
  )
}

function deliveryRoutes(app: App, { deliveries }: Webhooks): void {
  app.get(
    '/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'Deliveries of the last 30 days, sent and waiting, newest first',
        params: webhookId,
        querystring: page,
        response: answers(deliveryPage),
      },
    },
    (request) => deliveries.list(request.session.account, request.params.id, request.query),
  )

  app.post(
    '/webhooks/:id/test',
    {
      config: writing,
      schema: { tags, summary: 'Send a test event', params: webhookId, querystring: nothing, response: answers(delivery, 202) },
    },
    async (request, reply) => reply.code(202).send(await deliveries.test(request.session.account, request.params.id)),
  )
}

function replayRoutes(app: App, { deliveries }: Webhooks): void {
  app.post(
    '/webhooks/:id/deliveries/:sequence/replay',
    {
      config: writing,
      schema: { tags, summary: 'Send one delivery again', params: deliveryId, querystring: nothing, response: answers(delivery, 202) },
    },
    async (request, reply) => {
      const { id, sequence: place } = request.params
      return reply.code(202).send(await deliveries.again(request.session.account, id, Number(place)))
    },
  )

  app.post(
    '/webhooks/:id/replay',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Send every event since a time again',
        params: webhookId,
        querystring: nothing,
        body: replay,
        response: answers(replayed, 202),
      },
    },
    async (request, reply) => {
      const count = await deliveries.againSince(request.session.account, request.params.id, request.body.since)
      return reply.code(202).send({ count })
    },
  )
}
