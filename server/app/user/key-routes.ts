import {
  keyScopes,
  keyKinds,
  type WireKey,
  type WireKeyChange,
  type WireKeyMade,
  type WireKeys,
  type WireNewKey,
} from '@candor/core/protocol/wire/keys.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Identity } from '../../identity/identity.ts'
import { ipsMax } from '../../identity/key-terms.ts'
import type { KeyHolder } from '../../identity/keys.ts'
import type { App } from '../app.ts'
import { answers, millis, noContent, nothing } from '../../http/schema.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import { labelOf, sessionId as keyId } from './schema.ts'

const label = labelOf('key', 'my bot')

const scopes = z.array(z.enum(keyScopes)).max(keyScopes.length).readonly()

const ips = z
  .array(z.string().min(1).max(64))
  .max(ipsMax)
  .readonly()
  .meta({
    description: 'Addresses and networks from which the key works; an empty list: from anywhere.',
    examples: [['203.0.113.7', '198.51.100.0/24']],
  })

const publicKey = z.string().max(1_000).meta({ description: 'PEM of an Ed25519 or RSA public key.' })
const password = z.string().max(4_096)
const expiresAt = z.int().nonnegative().max(8_640_000_000_000_000)

export const key = z
  .strictObject({
    id: z.string(),
    key: z.string(),
    label: z.string(),
    kind: z.enum(keyKinds),
    scopes: z.array(z.enum(keyScopes)).readonly(),
    ips: z.array(z.string()).readonly(),
    createdAt: millis,
    expiresAt: millis.exactOptional(),
    lastUsedAt: millis.exactOptional(),
    lastIp: z.string().exactOptional(),
    madeBy: z.string().exactOptional().meta({ description: 'Of a key of a firm: the member who made it.' }),
  })
  .meta({ id: 'Key' }) satisfies z.ZodType<WireKey>

export const keyList = z
  .strictObject({
    keys: z.array(key).readonly(),
    keysMax: z.int(),
    ipsMax: z.int(),
    needsIps: z.boolean(),
    expiryMaxMs: z.int().exactOptional(),
  })
  .meta({ id: 'Keys' }) satisfies z.ZodType<WireKeys>

export const keyMade = z.strictObject({ key, secret: z.string().exactOptional() }).meta({ id: 'KeyMade' }) satisfies z.ZodType<WireKeyMade>

const newKey = z
  .strictObject({ label, scopes, ips, expiresAt: expiresAt.exactOptional(), publicKey: publicKey.exactOptional(), password })
  .meta({ id: 'NewKey' }) satisfies z.ZodType<WireNewKey>

const keyChange = z
  .strictObject({
    label: label.exactOptional(),
    scopes: scopes.exactOptional(),
    ips: ips.exactOptional(),
    expiresAt: expiresAt.nullable().exactOptional(),
    password: password.exactOptional(),
  })
  .meta({ id: 'KeyChange' }) satisfies z.ZodType<WireKeyChange>

const tags = ['keys']
const read = { auth: 'session' } as const
/** These routes check the password, so the stricter limits per address apply. */
const write = { auth: 'session', isAuth: true } as const

/** The keys of the user's own programs. */
export function keyRoutes(app: App, { keys }: Identity, cookies: Cookies): void {
  const holderOf = (request: FastifyRequest): KeyHolder => ({
    account: request.session.account,
    session: request.session.id,
    member: request.session.member,
    visitor: visitorOf(request, cookies),
  })

  app.get(
    '/keys',
    { config: read, schema: { tags, summary: 'The user’s API keys, without secrets', querystring: nothing, response: answers(keyList) } },
    (request) => keys.list(request.session.account),
  )

  app.post(
    '/keys',
    {
      config: write,
      schema: {
        tags,
        summary: 'Create an API key; only this answer contains its secret',
        querystring: nothing,
        body: newKey,
        response: answers(keyMade, 201),
      },
    },
    async (request, reply) => reply.code(201).send(await keys.create(request.body, holderOf(request))),
  )

  app.patch(
    '/keys/:id',
    {
      config: write,
      schema: {
        tags,
        summary: 'Change an API key; adding rights needs the password',
        params: keyId,
        querystring: nothing,
        body: keyChange,
        response: answers(key),
      },
    },
    (request) => keys.change(request.params.id, request.body, holderOf(request)),
  )

  app.delete(
    '/keys/:id',
    {
      config: read,
      schema: {
        tags,
        summary: 'Delete an API key; it stops working at once',
        params: keyId,
        querystring: nothing,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      await keys.delete(request.params.id, holderOf(request))
      return reply.code(204).send()
    },
  )
}
