import type { UserId } from '@candor/core/protocol/ids.ts'
import { explanationFaults, type WireExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { z } from 'zod'
import { Explanations } from '../../explain/requests.ts'
import { answers, nothing, orderId } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import type { App } from '../app.ts'
import { liquidation, marginLiquidation } from './liquidation-schema.ts'
import { conversion, fill, subject } from './schema.ts'

const tags = ['explanations']
/** A question reads tables and may cost a replay. */
const askWeight = 5

const explanation = z
  .strictObject({
    id: z.string(),
    state: z.enum(['waiting', 'ready', 'refused']),
    percent: z.int().exactOptional(),
    fault: z.enum(explanationFaults).exactOptional(),
    fill: fill.exactOptional(),
    conversion: conversion.exactOptional(),
    liquidation: liquidation.exactOptional(),
    marginLiquidation: marginLiquidation.exactOptional(),
  })
  .meta({
    id: 'Explanation',
    description: 'Why a result is as it is, from the journal executed again; see docs/spec/explain.md.',
  }) satisfies z.ZodType<WireExplanation>

/** Explanations of a customer's own results. */
export function explainRoutes(app: App, { pool }: Context): void {
  const explanations = new Explanations(pool)
  app.post(
    '/explanations',
    {
      config: { auth: 'session', weight: () => askWeight },
      schema: {
        ...{ tags, summary: 'Ask why an own fill, conversion or liquidation is as it is; asking again gives the same explanation' },
        ...{ querystring: nothing, body: subject, response: answers(explanation) },
      },
    },
    ({ session, body }) => explanations.ask(session.user as UserId, body),
  )

  app.get(
    '/explanations/:id',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'An own explanation, or how far it is worked out' },
        ...{ params: z.strictObject({ id: orderId }), querystring: nothing, response: answers(explanation) },
      },
    },
    ({ session, params: { id } }) => explanations.read(session.user as UserId, Number(id)),
  )
}
