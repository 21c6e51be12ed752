/** Rules about the place of a payment in the chain's order, which keep it from being paid twice. */
import { isBump } from '../evm/build.ts'
import type { Slot } from '../ports.ts'
import { deadAfterMs, isSameSlot, type Memory, type Nonces, type SlotJson, slotJson } from './memory.ts'
import type { NetworkPolicy } from './policy.ts'
import { SignerRefused } from './reasons.ts'
import { deadDigest, ed25519Key, isSignedBy } from './statement.ts'
import type { SignRequest } from './wire.ts'

/** A transaction of TRON is signed for at most this time. */
const expirationMaxMs = 3_600_000

type Context = {
  readonly memory: Memory
  readonly network: NetworkPolicy
  readonly now: number
  /** Time of the newest statement about the books. */
  readonly matchedAt: number
  readonly reconciliation: string
}

/**
 * What the transaction may cost more than earlier ones of the same withdrawal, in the native coin's smallest unit.
 *
 * throws  SignerRefused when the slot is not the withdrawal's own
 */
export function checkSlot(request: SignRequest, context: Context): bigint {
  const { slot } = request
  if (slot.kind !== context.network.kind) throw new SignerRefused('SLOT_WRONG')
  return slot.kind === 'evm' ? checkNonce(request, slot, context) : checkExpiration(request, slot, context)
}

type EvmSlot = Extract<Slot, { kind: 'evm' }>
type TronSlot = Extract<Slot, { kind: 'tron' }>

function checkNonce({ payment }: SignRequest, slot: EvmSlot, { memory, network }: Context): bigint {
  const last = memory.withdrawals.get(payment.withdrawal)?.attempts.at(-1)?.slot
  return feeOfNonce(slot, last, memory.nonces(network.name, network.firstNonce), network.feeMax)
}

/**
 * What a transaction may cost more than the last one of the same job.
 *
 * throws  SignerRefused when its nonce is not the job's own, or the next one; when it costs too much, or is a replacement for too little
 */
export function feeOfNonce(slot: EvmSlot, last: SlotJson | undefined, { owner, next, isFirst }: Nonces, feeMax: bigint): bigint {
  const fee = slot.gas * slot.maxFee
  if (fee > feeMax) throw new SignerRefused('FEE_TOO_HIGH')
  if (last?.kind !== 'evm') {
    if (owner(slot.nonce) !== undefined || slot.nonce < next) throw new SignerRefused('NONCE_TAKEN')
    if (!isFirst && slot.nonce > next) throw new SignerRefused('NONCE_GAP')
    return fee
  }
  if (last.nonce !== slot.nonce) throw new SignerRefused('NONCE_BOUND')
  if (isSameSlot(last, slotJson(slot))) return 0n
  if (!isBump({ maxFee: BigInt(last.maxFee), maxTip: BigInt(last.maxTip) }, slot)) throw new SignerRefused('BUMP_TOO_SMALL')
  const before = BigInt(last.gas) * BigInt(last.maxFee)
  // One nonce is paid once: only the difference can be lost besides.
  return fee > before ? fee - before : 0n
}

function checkExpiration(request: SignRequest, slot: TronSlot, context: Context): bigint {
  const { memory, network, now, matchedAt, reconciliation } = context
  const { payment, dead } = request
  const fee = payment.contract === undefined ? 0n : BigInt(slot.feeLimit)
  if (fee > network.feeMax) throw new SignerRefused('FEE_TOO_HIGH')
  const attempts = memory.withdrawals.get(payment.withdrawal)?.attempts ?? []
  const last = attempts.at(-1)
  if (last !== undefined && isSameSlot(last.slot, slot)) return 0n
  checkTimes(slot, now)
  if (last === undefined) return fee
  // Two transactions of TRON are two payments: there is no nonce that one could take from the other.
  const ends = Math.max(...attempts.map((each) => (each.slot.kind === 'tron' ? each.slot.expiration : Infinity)))
  const txids = attempts.map(({ txid }) => txid ?? '')
  const isProved =
    dead !== undefined &&
    dead.txids.length === txids.length &&
    dead.txids.every((txid, i) => txid === txids[i]) &&
    isSignedBy(ed25519Key(reconciliation), deadDigest(payment.network, payment.withdrawal, txids), dead.signature)
  if (!isProved || now <= ends + deadAfterMs || matchedAt <= ends + deadAfterMs) throw new SignerRefused('NOT_DEAD')
  return fee
}

/** throws  SignerRefused EXPIRATION */
export function checkTimes({ timestamp, expiration }: TronSlot, now: number): void {
  if (expiration <= now || expiration > now + expirationMaxMs || timestamp > now + expirationMaxMs) throw new SignerRefused('EXPIRATION')
}
