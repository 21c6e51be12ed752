/**
 * `confirming`: in a block, not yet deep enough. `credited`: the core has it or gets it now, and may have to give it back. `final`: it
 * can't vanish. `small`: deep enough, waits for others. `orphaned`: its block vanished; it starts again if it comes back. `held`: a
 * person must look. `wrong-token`: of a contract that is not listed. `failed`: a node told a transfer that did not happen.
 * `refused`: two members of the staff keep a held one from being credited.
 */
export const depositStates = ['confirming', 'credited', 'final', 'orphaned', 'small', 'held', 'wrong-token', 'failed', 'refused'] as const
export type DepositState = (typeof depositStates)[number]

/** A row of `deposits`; numerics come as text. */
export type DepositRow = {
  readonly id: number
  readonly network: string
  readonly txid: string
  readonly ordinal: number
  readonly asset: string | null
  readonly contract: string
  readonly sender: string
  readonly address: string
  readonly account: string
  readonly user_no: number
  readonly raw: string
  readonly rest: string
  readonly amount: number | null
  readonly block_number: number
  readonly block_hash: string
  readonly block_at: number
  readonly state: DepositState
  readonly why: string | null
  readonly credit: number | null
  readonly seen_at: number
  readonly credited_at: number | null
  readonly final_at: number | null
  /** When two members of the staff released a held one; null: nobody has. */
  readonly released_at: number | null
}

export const postingKinds = ['credit', 'final', 'orphan'] as const
export type PostingKind = (typeof postingKinds)[number]

/** What the core is told, in the order of `id`. */
export type PostingRow = {
  readonly id: number
  readonly network: string
  readonly kind: PostingKind
  readonly credit: number
  readonly deposit: number
  readonly user_no: number
  readonly asset: string
  readonly amount: number
  readonly is_final: boolean
}
