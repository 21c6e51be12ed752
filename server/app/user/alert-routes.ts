import {
  alertConditions,
  alertSources,
  alertStates,
  changeBounds,
  noteMax,
  rearmBounds,
  type WireAlert,
  type WireAlerts,
  type WireAlertSwitch,
  type WireNewAlert,
} from '@candor/core/protocol/wire/own/alerts.ts'
import { z } from 'zod'
import type { Alerts } from '../../alerts/alerts.ts'
import { answers, decimal, decimalOut, millis, noContent, nothing, symbol } from '../../http/schema.ts'
import type { App } from '../app.ts'
import { sessionId as alertId } from './schema.ts'

/** Percent with at most two digits after the point. */
const percentIn = (text: string, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  /^[0-9]{1,4}(\.[0-9]{1,2})?$/.test(text) && Number(text) >= min && Number(text) <= max

const terms = {
  symbol,
  condition: z.enum(alertConditions),
  source: z.enum(alertSources).meta({ description: 'The price that the alert follows; `mark`: Futures only.' }),
  level: decimal.meta({ description: 'A price of the market for `above` and `below`; percent over 24 hours for `rise` and `fall`.' }),
  note: z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cf}]{0,${noteMax}}$`, 'u')),
}
const rearm = decimal
  .refine((text) => percentIn(text, rearmBounds))
  .meta({ description: 'Percent by which the price must come back before the next crossing is told. Absent: the first one only.' })

const newAlert = z
  .strictObject({
    ...terms,
    rearm: rearm.exactOptional(),
    isOn: z.boolean(),
    isReachedFine: z.boolean().meta({ description: 'Create it although the price is already beyond the level.' }),
  })
  .refine(({ condition, level }) => condition === 'above' || condition === 'below' || percentIn(level, changeBounds), { path: ['level'] })
  .meta({ id: 'NewAlert' }) satisfies z.ZodType<WireNewAlert>

export const alert = z
  .strictObject({
    ...terms,
    rearm: decimalOut.exactOptional(),
    id: z.string(),
    state: z.enum(alertStates),
    createdAt: millis,
    count: z.int(),
    last: z.strictObject({ at: millis, value: decimalOut }).exactOptional(),
  })
  .meta({ id: 'Alert' }) satisfies z.ZodType<WireAlert>

export const alertList = z
  .strictObject({ alerts: z.array(alert).readonly(), max: z.int() })
  .meta({ id: 'Alerts' }) satisfies z.ZodType<WireAlerts>

const alertSwitch = z.strictObject({ isOn: z.boolean() }).meta({ id: 'AlertSwitch' }) satisfies z.ZodType<WireAlertSwitch>

const tags = ['notices']
const config = { auth: 'session' } as const
/** They lock rows, and other gateways read again what they changed. */
const locking = { auth: 'session', isLocking: true } as const

/** The user's price alerts. */
export function alertRoutes(app: App, alerts: Alerts): void {
  app.get(
    '/alerts',
    { config, schema: { tags, summary: 'The user’s price alerts, newest first', querystring: nothing, response: answers(alertList) } },
    (request) => alerts.list(request.session.account),
  )

  app.post(
    '/alerts',
    {
      config: locking,
      schema: { tags, summary: 'Create a price alert', querystring: nothing, body: newAlert, response: answers(alert, 201) },
    },
    async (request, reply) => reply.code(201).send(await alerts.create(request.session.account, request.body)),
  )

  app.put(
    '/alerts/:id',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Replace the terms of a price alert', params: alertId, querystring: nothing },
        ...{ body: newAlert, response: answers(alert) },
      },
    },
    (request) => alerts.replace(request.session.account, request.params.id, request.body),
  )

  app.patch(
    '/alerts/:id',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Pause a price alert, or watch again from the present price on', params: alertId, querystring: nothing },
        ...{ body: alertSwitch, response: answers(alert) },
      },
    },
    (request) => alerts.turn(request.session.account, request.params.id, request.body.isOn),
  )

  app.delete(
    '/alerts/:id',
    {
      config: locking,
      schema: { tags, summary: 'Delete a price alert', params: alertId, querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await alerts.remove(request.session.account, request.params.id)
      return reply.code(204).send()
    },
  )
}
