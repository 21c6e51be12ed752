/** A chain as payouts see it. */
import type { Intent, Slot } from '../ports.ts'
import type { Attempt } from './rows.ts'

/**
 * What the chain says about all attempts of one payout together.
 *
 * absent      in no block and in no pool that was asked
 * seen        in a block that may still vanish, or waiting for one
 * settled     one is in a final block. `moved`: what the recipient got by the token's own log
 * impossible  none can ever be in a block: on EVM another transaction has the nonce, on TRON their time is over
 */
export type Proof =
  | { readonly kind: 'absent' | 'seen' | 'impossible' }
  | {
      readonly kind: 'settled'
      readonly txid: string
      readonly isSuccess: boolean
      readonly moved: bigint
      readonly block: number
      /** In the native coin's smallest unit. */
      readonly fee: bigint
    }

export type PayoutChain = {
  /** Most payouts between their first signature and their block: with a nonce any block, without one the final one. */
  readonly inFlightMax: number
  /** The chain for one look at all payouts: what they have in common is asked once. */
  now(): PayoutChain
  /** The next nonce of the paying address by the chain; undefined where there are none. */
  nonce(): Promise<number | undefined>
  /** What the paying address has of the token, or of the native coin. */
  balance(contract: string | undefined): Promise<bigint>
  /** A place for a new transaction. throws  PayoutWaits when it would fail, or costs too much now */
  slot(intent: Intent, nonce: number | undefined): Promise<Slot>
  /** Native coin that the payment may cost besides. 0 where `slot` has looked whether there is enough. */
  fee(intent: Intent, slot: Slot): Promise<bigint>
  /** A place that replaces the last attempt with the same nonce, if it should be replaced now. */
  bump(attempt: Attempt, ageMs: number, isFirst: boolean): Promise<Slot | undefined>
  /** Hands a transaction to the nodes. What they answer is a hint for people, and decides nothing. */
  send(raw: string): Promise<string>
  prove(intent: Intent, attempts: readonly Attempt[]): Promise<Proof>
}

/** Why a payout does not move now. It is tried again. */
export const waits = {
  WOULD_FAIL: 'the payment would fail now',
  HOT_EMPTY: 'the paying address has too little',
  FEE_TOO_HIGH: 'the network asks for more than the cap of fees',
  NODE_FAULT: 'no node answers as it should',
  NONCE_FOREIGN: 'another transaction used this nonce: the key may be in other hands',
  SIGNER_AWAY: 'the signer does not answer',
  CORE_AWAY: 'the core could not be told',
  DEAD_UNPROVED: 'the reconciliation has not proved yet that earlier transactions are dead',
  SINK_WRONG: 'the factory of forwarders pays another address than the sink of the configuration',
  TOKEN_REFUSED: 'the token keeps a part of transfers, fails, or is otherwise refused: candor chains check says why',
  TOKEN_UNKNOWN: 'the token was not looked at yet, or no transfer of it could be tried',
  NO_EFFECT: 'the transaction succeeded, but its token logged no transfer to the recipient',
} as const
export type Wait = keyof typeof waits

export class PayoutWaits extends Error {
  readonly reason: Wait

  constructor(reason: Wait, options?: ErrorOptions) {
    super(waits[reason], options)
    this.name = 'PayoutWaits'
    this.reason = reason
  }
}

/**
 * One proof of several nodes: what is settled needs two that agree, or the only one; what is impossible needs all. A node that fails
 * proves nothing.
 *
 * throws  PayoutWaits NODE_FAULT when none answers
 */
export function agreed(answers: readonly PromiseSettledResult<Proof>[]): Proof {
  const proofs = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (proofs.length === 0) throw new PayoutWaits('NODE_FAULT', { cause: answers.find((each) => each.status === 'rejected')?.reason })
  const settled = proofs.filter((each) => each.kind === 'settled')
  const [first] = settled
  if (first !== undefined) {
    const same = settled.filter(
      ({ txid, isSuccess, moved }) => txid === first.txid && isSuccess === first.isSuccess && moved === first.moved,
    )
    return same.length === settled.length && same.length >= Math.min(2, answers.length) ? first : { kind: 'seen' }
  }
  if (proofs.length === answers.length && proofs.every(({ kind }) => kind === 'impossible')) return { kind: 'impossible' }
  // Where one node already holds it for impossible, nothing is gained by sending it again.
  return proofs.every(({ kind }) => kind === 'absent') ? { kind: 'absent' } : { kind: 'seen' }
}
