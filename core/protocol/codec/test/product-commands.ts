import fc from 'fast-check'
import { priceMatches } from '../../command/perp.ts'
import { algoCommands } from './algo-cases.ts'
import { chainCommands } from './chain-commands.ts'
import { convertCommands } from './convert-cases.ts'
import { firmCommands } from './firm-cases.ts'
import { referralCommands } from './referral-cases.ts'

const count = fc.maxSafeNat()
const safe = fc.maxSafeInteger().map((n) => n + 0)

const feeTiers = (minLength: number) =>
  fc.array(fc.record({ volumeMin: safe, makerPpm: safe, takerPpm: safe }), { minLength, maxLength: 10 })

/** Any place that the price of a Futures order comes from. */
export const priceMatch = fc.constantFrom(...priceMatches)
/** Fields that few Futures orders have. */
export const perpEnds = { goodTill: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), priceMatch }

/** Commands of products with any values. */
export const productCommands = {
  ...{ ...chainCommands, ...convertCommands, ...referralCommands, ...firmCommands, ...algoCommands },
  'fees.set': fc.record({ tiers: feeTiers(0), perpTiers: feeTiers(1) }, { requiredKeys: ['tiers'] }),
  'perp.countdown': fc.record({ user: count, market: count, duration: count }),
}
