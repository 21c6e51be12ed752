import type { Fate, Signed, Slot } from '../ports.ts'
import { type SlotJson, slotJson } from '../signer/memory.ts'
import type { Payment } from '../signer/statement.ts'
import type { RequestJson } from '../signer/wire.ts'
import type { SignedEnding } from './endings.ts'

type SignJson = Extract<RequestJson, { kind: 'sign' }>
/** What the signer wants to see besides the payment: signatures of the engine and the customer. */
export type Proofs = Pick<SignJson, 'engine' | 'customer'>
/** Signatures of operators, which come later. */
export type Approvals = SignJson['approvals']

/** A withdrawal that may be paid. */
export type Approved = { readonly payment: Payment; readonly proofs: Proofs }

/**
 * `taken`: nothing was signed. `bound`: its place in the chain's order is stored. `signed`: a transaction exists, and only the chain
 * can decide from here on. `settled`: a final block decided. `done`: the core knows it.
 */
export type PayoutState = 'taken' | 'bound' | 'signed' | 'settled' | 'done'

/** A row of `payouts`; numerics come as text. */
export type PayoutRow = {
  readonly withdrawal: number
  readonly network: string
  readonly chain_id: number
  readonly user_no: number
  readonly client_id: string
  readonly contract: string | null
  readonly recipient: string
  readonly value: string
  readonly proofs: Proofs
  readonly state: PayoutState
  readonly nonce: number | null
  readonly fate: Extract<Fate, 'paid' | 'reverted'> | 'refused' | null
  readonly txid: string | null
  readonly trouble: string | null
  /** How often in a row the signer refused the payment itself, for the reason in `trouble`. */
  readonly refusals: number
  readonly retry_at: number
  /** Two members decided that it fails. */
  readonly is_ended: boolean
  /** The engine's word for the signer that it does; null until the engine gave it. */
  readonly ending: SignedEnding | null
}

/** A row of `payout_attempts`. */
export type AttemptRow = {
  readonly withdrawal: number
  readonly n: number
  readonly slot: SlotJson
  readonly raw: string | null
  readonly txid: string | null
  readonly fate: 'open' | 'void' | 'dead' | 'replaced' | 'paid' | 'reverted'
  readonly planned_at: number
  readonly signed_at: number | null
  readonly sent_at: number | null
}

/** A transaction that was signed for a payout. */
export type Attempt = Signed & { readonly n: number; readonly slot: Slot; readonly signedAt: number; readonly sentAt: number | undefined }

export function paymentOf(row: PayoutRow): Payment {
  const { withdrawal, network, chain_id: chainId, user_no: user, client_id: clientId, contract, recipient: to, value } = row
  return { withdrawal, user, clientId, network, chainId, ...(contract === null ? {} : { contract }), to, value: BigInt(value) }
}

/** All that were signed, dead ones too, in their order. */
export function attemptsOf(rows: readonly AttemptRow[]): readonly Attempt[] {
  return rows.flatMap(({ n, slot, raw, txid, planned_at, signed_at, sent_at }) =>
    raw === null || txid === null
      ? []
      : [{ n, raw, txid, slot: slotOf(slot), signedAt: signed_at ?? planned_at, sentAt: sent_at ?? undefined }],
  )
}

export function slotOf(json: SlotJson): Slot {
  if (json.kind === 'tron') return json
  return { ...json, gas: BigInt(json.gas), maxFee: BigInt(json.maxFee), maxTip: BigInt(json.maxTip) }
}

export const slotText = (slot: Slot): string => JSON.stringify(slotJson(slot))
