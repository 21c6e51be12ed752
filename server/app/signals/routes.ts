import { refusals, type Refusal } from '@candor/core/protocol/refusal.ts'
import {
  signalEnds,
  signalMax,
  type WireNewSignal,
  type WireSignal,
  type WireSignalCall,
  type WireSignalChange,
  type WireSignalMade,
  type WireSignalOrder,
  type WireSignalState,
  type WireSignalTemplate,
  type WireSignalTerms,
  type WireSignalTried,
  type WireSignalTry,
} from '@candor/core/protocol/wire/own/signals.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Identity } from '../../identity/identity.ts'
import { ipsMax } from '../../identity/key-terms.ts'
import type { KeyHolder } from '../../identity/keys.ts'
import { answers, decimal, decimalOut, millis, nothing, queryInteger, side, symbol } from '../../http/schema.ts'
import type { Listing } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { alertMax, alertOf } from '../../signals/alert.ts'
import { limitAsset, type Parts, planOf, wireOrder } from '../../signals/plan.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from '../user/cookies.ts'
import { sessionId as keyId } from '../user/schema.ts'

const path = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,39}(\.[A-Za-z_][A-Za-z0-9_-]{0,39}){0,2}$/)
  .meta({ description: 'A field of the alert, or a field of an object in it.', examples: ['strategy.order_action'] })
const words = z
  .array(z.string().regex(/^[\p{L}\p{N}_ -]{1,40}$/u))
  .max(signalMax.words)
  .readonly()

const template = z
  .strictObject({
    symbol: path,
    action: path,
    quantity: path.exactOptional(),
    quote: path.exactOptional(),
    type: path.exactOptional(),
    price: path.exactOptional(),
    id: path.exactOptional(),
    time: path.exactOptional(),
    buy: words,
    sell: words,
    close: words,
  })
  .meta({ id: 'SignalTemplate' }) satisfies z.ZodType<WireSignalTemplate>

const terms = z
  .strictObject({
    symbols: z.array(symbol).min(1).max(signalMax.symbols).readonly(),
    maxQuote: decimal.meta({ description: `The largest order, in USDT, at most ${signalMax.maxQuote}.`, examples: ['100'] }),
    perMinute: z.int().min(1).max(signalMax.perMinute),
    perDay: z.int().min(1).max(signalMax.perDay),
    maxAgeSeconds: z.int().min(1).max(signalMax.maxAgeSeconds),
    ips: z.array(z.string().min(1).max(64)).max(ipsMax).readonly(),
    template: template.exactOptional(),
  })
  .meta({ id: 'SignalTerms' }) satisfies z.ZodType<WireSignalTerms>

export const signal = z
  .strictObject({ ...terms.shape, isOn: z.boolean(), madeAt: millis })
  .meta({ id: 'Signal' }) satisfies z.ZodType<WireSignal>

const end = z.enum([...signalEnds, ...(Object.keys(refusals) as Refusal[])])
const call = z
  .strictObject({
    ...{ id: z.string(), at: millis, ip: z.string(), text: z.string(), end },
    ...{ symbol: z.string().exactOptional(), order: z.string().exactOptional() },
  })
  .meta({ id: 'SignalCall' }) satisfies z.ZodType<WireSignalCall>

export const signalState = z
  .strictObject({ signal: signal.exactOptional(), calls: z.array(call).readonly() })
  .meta({ id: 'SignalState' }) satisfies z.ZodType<WireSignalState>

export const signalMade = z.strictObject({ signal, path: z.string() }).meta({ id: 'SignalMade' }) satisfies z.ZodType<WireSignalMade>

const password = z.string().max(4_096)
const newSignal = z.strictObject({ terms, password }).meta({ id: 'NewSignal' }) satisfies z.ZodType<WireNewSignal>
const signalChange = z
  .strictObject({ isOn: z.boolean().exactOptional(), terms: terms.exactOptional(), password: password.exactOptional() })
  .meta({ id: 'SignalChange' }) satisfies z.ZodType<WireSignalChange>

const signalTry = z.strictObject({ text: z.string().max(alertMax), terms }).meta({ id: 'SignalTry' }) satisfies z.ZodType<WireSignalTry>

const order = z
  .strictObject({
    ...{ symbol: z.string(), side, type: z.enum(['market', 'limit']), isClose: z.boolean(), quantity: decimalOut.exactOptional() },
    ...{ quote: decimalOut.exactOptional(), price: decimalOut.exactOptional(), value: decimalOut.exactOptional() },
  })
  .meta({ id: 'SignalOrder' }) satisfies z.ZodType<WireSignalOrder>

export const signalTried = z
  .strictObject({
    order: order.exactOptional(),
    refusal: z.enum(Object.keys(refusals) as Refusal[]).exactOptional(),
    field: z.string().exactOptional(),
  })
  .meta({ id: 'SignalTried' }) satisfies z.ZodType<WireSignalTried>

const tags = ['keys']
const read = { auth: 'session' } as const
/** These routes check the password, so the stricter limits per address apply. */
const write = { auth: 'session', isAuth: true } as const
const page = z.strictObject({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })

/** Signal addresses of the user's keys, to which charting services send alerts. */
export function signalRoutes(app: App, parts: Parts, { signals }: Pick<Identity, 'signals'>, cookies: Cookies): void {
  const holderOf = (request: FastifyRequest): KeyHolder => ({
    account: request.session.account,
    session: request.session.id,
    member: request.session.member,
    visitor: visitorOf(request, cookies),
  })
  const shared = { tags, params: keyId }
  const url = '/keys/:id/signal'

  app.get(
    url,
    {
      config: read,
      schema: { ...shared, summary: 'The signal address of a key, and what came to it', querystring: page, response: answers(signalState) },
    },
    (request) => signals.state(request.params.id, request.session.account, request.query.before),
  )

  app.post(
    url,
    {
      config: write,
      schema: {
        ...{ ...shared, summary: 'Make a signal address, or a new one instead of the old; only this answer contains it' },
        ...{ querystring: nothing, body: newSignal, response: answers(signalMade, 201) },
      },
    },
    async (request, reply) => {
      checkTerms(parts.listing, request.body.terms)
      return reply.code(201).send(await signals.make(request.params.id, request.body, holderOf(request)))
    },
  )

  app.patch(
    url,
    {
      config: write,
      schema: {
        ...{ ...shared, summary: 'Change a signal address or switch it on or off; all but switching off needs the password' },
        ...{ querystring: nothing, body: signalChange, response: answers(signal) },
      },
    },
    (request) => {
      if (request.body.terms !== undefined) checkTerms(parts.listing, request.body.terms)
      return signals.change(request.params.id, request.body, holderOf(request))
    },
  )

  tryRoute(app, parts, signals)
}

function tryRoute(app: App, parts: Parts, signals: Identity['signals']): void {
  app.post(
    '/keys/:id/signal/try',
    {
      config: read,
      schema: {
        ...{ tags, params: keyId, summary: 'Shows which order an alert would place at current prices; sends nothing' },
        ...{ querystring: nothing, body: signalTry, response: answers(signalTried) },
      },
    },
    async (request) => {
      const { text, terms: given } = request.body
      await signals.state(request.params.id, request.session.account)
      checkTerms(parts.listing, given)
      try {
        return { order: wireOrder(await planOf(parts, request.session.user as UserId, given, alertOf(text, given.template))) }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { refusal: error.refusal, ...(error.field === undefined ? {} : { field: error.field }) }
      }
    },
  )
}

/** throws  Refused FIELD_INVALID for a market that is not quoted in the limit's asset, or for no limit or one above the highest */
function checkTerms(listing: Listing, { symbols, maxQuote }: WireSignalTerms): void {
  for (const name of symbols)
    if (listing.marketNamedIfAny(name)?.quote.symbol !== limitAsset) throw new Refused('FIELD_INVALID', { field: 'symbols' })
  const { scale } = listing.assetNamed(limitAsset)
  const units = parseUnits(maxQuote, scale)
  if (!units || units > signalMax.maxQuote * 10 ** scale) throw new Refused('FIELD_INVALID', { field: 'maxQuote' })
}
