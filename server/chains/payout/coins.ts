import type { Intent, Slot } from '../ports.ts'
import { type PayoutChain, PayoutWaits } from './chain.ts'

/** As many times its own fee are left by a payment of the native coin, so that nobody's withdrawal stops those of tokens. */
const feesLeft = 64n

/**
 * Native coin that leaves the paying address with a payment.
 *
 * before  what leaves with others that begin together
 * throws  PayoutWaits HOT_EMPTY when there is too little: its transaction would be in no block, and others would wait behind it
 */
export async function coinsOf(chain: PayoutChain, payment: Intent, slot: Slot, before: bigint): Promise<bigint> {
  const fee = await chain.fee(payment, slot)
  const [value, left] = payment.contract === undefined ? [payment.value, feesLeft * fee] : [0n, 0n]
  const coins = value + fee
  if (coins > 0n && (await chain.balance(undefined)) < before + coins + left) throw new PayoutWaits('HOT_EMPTY')
  return coins
}
