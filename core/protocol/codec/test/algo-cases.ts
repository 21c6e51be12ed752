import fc from 'fast-check'
import { plain } from '../../../money/test/plain.ts'
import { type AlgoCommand, scaledShapes } from '../../command/algo.ts'
import { positionSides } from '../../command/perp.ts'
import type { AlgoEvent } from '../../event/algo.ts'
import * as algoWriters from '../algo/write.ts'
import { POSITION_SHIFT, REDUCE_ONLY, SELL } from '../layout.ts'
import type { Cases } from './cases.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const clientId = fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/)
const plan = fc.oneof(
  fc.record({ kind: fc.constant('twap'), durationMs: safe, worst: safe }),
  fc.record({ kind: fc.constant('scaled'), from: safe, to: safe, shape: fc.constantFrom(...scaledShapes) }),
)

/** Commands about orders in parts with any values. */
export const algoCommands: Record<AlgoCommand['type'], fc.Arbitrary<object>> = {
  'algo.place': fc.record(
    {
      ...{ user: count, clientId, market: count, side: fc.constantFrom('buy', 'sell'), position: fc.constantFrom(...positionSides) },
      ...{ isReduceOnly: fc.boolean(), lots: safe, parts: safe, plan },
    },
    { requiredKeys: ['user', 'clientId', 'market', 'side', 'isReduceOnly', 'lots', 'parts', 'plan'] },
  ),
  'algo.cancel': fc.record({ user: count, clientId, algo: count }),
}

const algo = plain(algoWriters)
const names = { algo: 7, user: 4, market: 3 }
const facts = {
  ...names,
  flags: SELL | REDUCE_ONLY | (2 << POSITION_SHIFT),
  kind: 1,
  lots: 50,
  parts: 5,
  everyMs: 0,
  from: 90,
  to: 99,
  shape: 2,
}
const step = { ...names, partsLeft: 2, nextAtMs: 1_750_000_000_000 }

/** Events about orders in parts, each with its writer. */
export const algoEvents: Cases<AlgoEvent['type']> = {
  'algo.placed': {
    put: (into) => algo.writeAlgoPlaced(into, facts, new Float64Array(6)),
    event: {
      ...{ ...names, clientId: '', kind: 'scaled', side: 'sell', position: 'long', isReduceOnly: true },
      ...{ lots: 50, parts: 5, everyMs: 0, from: 90, to: 99, shape: 'falling' },
    },
  },
  'algo.part': { put: (into) => algo.writeAlgoPart(into, step, 9), event: { ...step, order: 9 } },
  'algo.missed': { put: (into) => algo.writeAlgoMissed(into, step, 'MARKET_HALTED'), event: { ...step, refusal: 'MARKET_HALTED' } },
  'algo.ended': {
    put: (into) => algo.writeAlgoEnded(into, names, 'small', 48, 4_000),
    event: { ...names, reason: 'small', executedLots: 48, executedQuote: 4_000 },
  },
}
