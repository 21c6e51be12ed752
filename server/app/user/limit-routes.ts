import {
  checkMinutes,
  coolOffHours,
  exclusionMonths,
  ownLimitKinds,
  restCauses,
  riskyProducts,
  type WireActive,
  type WireCheckEvery,
  type WireLossFigures,
  type WireNewRest,
  type WireOwnLimitChange,
  type WireOwnLimitConfirmed,
  type WireOwnLimits,
  type WireRest,
} from '@candor/core/protocol/wire/own-limits.ts'
import { z } from 'zod'
import { answers, decimal, decimalOut, millis, noContent, nothing } from '../../http/schema.ts'
import type { LimitsDesk } from '../../identity/limits/desk.ts'
import type { OwnLimits } from '../../identity/limits/own-limits.ts'
import type { Session } from '../../ports.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'

const tags = ['limits']
const kind = z.enum(ownLimitKinds)
const rest = z.strictObject({ until: millis, cause: z.enum(restCauses) }) satisfies z.ZodType<WireRest>
const limit = z.strictObject({
  kind,
  value: decimalOut.nullable(),
  next: z.strictObject({ value: decimalOut.nullable(), at: millis }).nullable(),
})
const count = z.int().nonnegative()

export const ownLimits = z
  .strictObject({
    limits: z.array(limit).readonly(),
    results: z.array(z.strictObject({ kind, result: decimalOut.nullable() })).readonly(),
    minutesToday: count,
    checkEvery: count,
    rest: rest.nullable(),
  })
  .meta({ id: 'OwnLimits' }) satisfies z.ZodType<WireOwnLimits>

const change = z.strictObject({ kind, value: decimal.nullable() }).meta({ id: 'OwnLimitChange' }) satisfies z.ZodType<WireOwnLimitChange>
const confirmed = z.strictObject({ kind }).meta({ id: 'OwnLimitConfirmed' }) satisfies z.ZodType<WireOwnLimitConfirmed>
const checkEvery = z
  .strictObject({ minutes: z.int().min(checkMinutes.min).max(checkMinutes.max) })
  .meta({ id: 'CheckEvery' }) satisfies z.ZodType<WireCheckEvery>
const newRest = z
  .discriminatedUnion('cause', [
    z.strictObject({ cause: z.literal('cool-off'), hours: z.int().min(coolOffHours.min).max(coolOffHours.max) }),
    z.strictObject({ cause: z.literal('self-exclusion'), months: z.int().min(exclusionMonths.min).max(exclusionMonths.max) }),
  ])
  .meta({ id: 'NewRest' }) satisfies z.ZodType<WireNewRest>
const active = z
  .strictObject({ minutesToday: count, result: decimalOut.nullable(), rest: rest.nullable() })
  .meta({ id: 'Active' }) satisfies z.ZodType<WireActive>
export const lossFigures = z
  .strictObject({
    figures: z
      .array(z.strictObject({ product: z.enum(riskyProducts), day: millis, accounts: count, lostPercent: count.nullable() }))
      .readonly(),
  })
  .meta({ id: 'LossFigures' }) satisfies z.ZodType<WireLossFigures>

const locking = { auth: 'session', isLocking: true } as const

/** A customer's own limits and pauses, and the figures on losses that everybody sees. */
export function limitRoutes(app: App, { limits, rests, figures }: LimitsDesk, cookies: Cookies): void {
  valueRoutes(app, limits, cookies)
  restRoutes(app, { limits, rests, cookies })

  app.get(
    '/loss-figures',
    {
      schema: {
        tags,
        summary: 'The share of accounts that lost money with each product in 90 days',
        querystring: nothing,
        response: answers(lossFigures),
      },
    },
    () => figures.newest(),
  )
}

type Requested = Parameters<typeof visitorOf>[0] & { readonly session: Session }
const personOf = (request: Requested, cookies: Cookies) => ({ session: request.session, visitor: visitorOf(request, cookies) })

function valueRoutes(app: App, limits: OwnLimits, cookies: Cookies): void {
  app.get(
    '/limits',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'Own limits, and how much of each is used', querystring: nothing, response: answers(ownLimits) },
    },
    (request) => limits.of(request.session.account),
  )

  app.put(
    '/limits',
    {
      config: locking,
      schema: {
        tags,
        summary: 'Set an own limit: a lower one at once, a higher one after a wait',
        querystring: nothing,
        body: change,
        response: answers(ownLimits),
      },
    },
    async (request) => {
      await limits.set(request.body, personOf(request, cookies))
      return limits.of(request.session.account)
    },
  )

  app.post(
    '/limits/confirm',
    {
      config: locking,
      schema: {
        tags,
        summary: 'Confirm a higher limit after its wait',
        querystring: nothing,
        body: confirmed,
        response: answers(ownLimits),
      },
    },
    async (request) => {
      await limits.confirm(request.body.kind, personOf(request, cookies))
      return limits.of(request.session.account)
    },
  )
}

type RestRouteParts = Pick<LimitsDesk, 'limits' | 'rests'> & { readonly cookies: Cookies }

function restRoutes(app: App, { limits, rests, cookies }: RestRouteParts): void {
  app.put(
    '/limits/check',
    {
      config: locking,
      schema: {
        tags,
        summary: 'Set the minutes between two reality checks',
        querystring: nothing,
        body: checkEvery,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      await limits.setCheckEvery(request.body.minutes, personOf(request, cookies))
      return reply.code(204).send()
    },
  )

  app.post(
    '/limits/rest',
    {
      config: locking,
      schema: {
        tags,
        summary: 'Begin a pause, which nobody can end earlier',
        querystring: nothing,
        body: newRest,
        response: answers(ownLimits),
      },
    },
    async (request) => {
      await rests.begin(request.body, personOf(request, cookies))
      return limits.of(request.session.account)
    },
  )

  app.post(
    '/limits/active',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'A sign of life of the app, and today’s time and result', querystring: nothing, response: answers(active) },
    },
    (request) => limits.active(request.session.account),
  )
}
