/** Writers of the events of orders in parts. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import { type AlgoEnd, algoEnds } from '../../event/algo.ts'
import type { AlgoKindNumber, MarketId, OrderId, Parts, ShapeNumber, UserId } from '../../ids.ts'
import { type Refusal, refusalId } from '../../refusal.ts'
import { numberOf } from '../fields.ts'
import type { OrderFlags } from '../layout.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { clientIdSlots } from '../text.ts'
import { algoEventCodes as codes } from './slots.ts'

const PLACED = 12 + clientIdSlots
const STEP = 7

/** The facts of an order in parts that never change. */
export type AlgoFacts = {
  readonly algo: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly flags: OrderFlags
  readonly kind: AlgoKindNumber
  readonly lots: Lots
  readonly parts: Parts
  readonly everyMs: Millis
  readonly from: Ticks
  readonly to: Ticks
  readonly shape: ShapeNumber
}

/** The fields that both steps of an order in parts share. */
export type AlgoStep = Pick<AlgoFacts, 'algo' | 'user' | 'market'> & { readonly partsLeft: Parts; readonly nextAtMs: Millis }

/** `clientId`: its slots in the command. */
export function writeAlgoPlaced(into: Records, facts: AlgoFacts, clientId: Float64Array): void {
  const at = into.reserve(PLACED)
  into.data[at] = head(codes['algo.placed'], PLACED)
  into.data[at + 1] = facts.algo
  into.data[at + 2] = facts.user
  into.data.set(clientId, at + 3)
  const { market, flags, kind, lots, parts, everyMs, from, to, shape } = facts
  into.data.set([market, flags, kind, lots, parts, everyMs, from, to, shape], at + 3 + clientIdSlots)
}

export function writeAlgoPart(into: Records, { algo, user, market, partsLeft, nextAtMs }: AlgoStep, order: OrderId): void {
  const at = into.reserve(STEP)
  into.data[at] = head(codes['algo.part'], STEP)
  into.data.set([algo, user, market, order, partsLeft, nextAtMs], at + 1)
}

export function writeAlgoMissed(into: Records, { algo, user, market, partsLeft, nextAtMs }: AlgoStep, refusal: Refusal): void {
  const at = into.reserve(STEP)
  into.data[at] = head(codes['algo.missed'], STEP)
  into.data.set([algo, user, market, refusalId(refusal), partsLeft, nextAtMs], at + 1)
}

export function writeAlgoEnded(
  into: Records,
  { algo, user, market }: Pick<AlgoFacts, 'algo' | 'user' | 'market'>,
  reason: AlgoEnd,
  executedLots: Lots,
  executedQuote: Units,
): void {
  const at = into.reserve(STEP)
  into.data[at] = head(codes['algo.ended'], STEP)
  into.data.set([algo, user, market, numberOf(algoEnds, reason), executedLots, executedQuote], at + 1)
}
