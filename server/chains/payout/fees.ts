/** What a transaction offers for its place: EIP-1559 fees within caps, and the energy of a call on TRON. */
import { bumpedFees, type EvmSlot } from '../evm/build.ts'
import { PayoutWaits } from './chain.ts'

export type Fees = Pick<EvmSlot, 'maxFee' | 'maxTip'>
export type FeeTerms = {
  /** Bounds of the tip, and the most per gas in all, in wei. */
  readonly tipMin: bigint
  readonly tipMax: bigint
  readonly feeMax: bigint
  /** Age from which a transaction that is in no block may be replaced. */
  readonly bumpMs: number
}

export const feeTerms: FeeTerms = { tipMin: 100_000_000n, tipMax: 5_000_000_000n, feeMax: 200_000_000_000n, bumpMs: 90_000 }

/** After this many times `bumpMs` the first of the line offers more even when the fee of the block would suffice. */
const patience = 4
const percent = 100n
/** A contract may need a little more in a later block than in this one. */
const gasMargin = 125n
const energyMargin = 130n

/**
 * Fees that stay good while the base fee doubles, which takes at least six full blocks.
 *
 * base    the base fee of the next block
 * tips    tips that were paid in recent blocks
 * throws  PayoutWaits FEE_TOO_HIGH when not even the base fee and the least tip are within the cap
 */
export function feesFor(base: bigint, tips: readonly bigint[], terms: FeeTerms): Fees {
  if (base + terms.tipMin > terms.feeMax) throw new PayoutWaits('FEE_TOO_HIGH')
  const sorted = tips.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const median = sorted[sorted.length >> 1] ?? 0n
  const maxFee = least(terms.feeMax, 2n * base + between(median, terms.tipMin, terms.tipMax))
  return { maxFee, maxTip: least(maxFee, between(median, terms.tipMin, terms.tipMax)) }
}

/**
 * The fees of a replacement, or undefined when the transaction stays as it is: it is young, or still good, or one more step would be
 * above the cap.
 *
 * isFirst  whether all before it in the line are in blocks: others wait for these, and not for a higher tip
 */
export function bumpFor(
  last: EvmSlot,
  now: { readonly base: bigint; readonly fees: Fees },
  wait: Waited,
  terms: FeeTerms,
): EvmSlot | undefined {
  if (wait.ageMs < terms.bumpMs) return undefined
  const isTooLow = now.base + terms.tipMin > last.maxFee
  if (!isTooLow && !(wait.isFirst && wait.ageMs >= patience * terms.bumpMs)) return undefined
  const next = bumpedFees(last, now.fees)
  return next.maxFee > terms.feeMax ? undefined : next
}

type Waited = { readonly ageMs: number; readonly isFirst: boolean }

export const gasWithMargin = (gas: bigint): bigint => ceil(gas * gasMargin)

/** The most that a call may burn, in sun. throws  PayoutWaits FEE_TOO_HIGH */
export function feeLimitFor(energy: bigint, sunPerEnergy: bigint, feeLimitMax: bigint): number {
  const limit = ceil(energy * sunPerEnergy * energyMargin)
  if (limit > feeLimitMax) throw new PayoutWaits('FEE_TOO_HIGH')
  return Number(limit)
}

const ceil = (parts: bigint): bigint => (parts + percent - 1n) / percent
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const between = (value: bigint, min: bigint, max: bigint): bigint => (value < min ? min : least(value, max))
