/** Answers of the routes about the treasury, as `server/console/treasury/schema.ts` describes them. */

export const treasuryRoles = ['deposits', 'hot', 'gas', 'sink'] as const
export type TreasuryRole = (typeof treasuryRoles)[number]

/**
 * An asset on a network. `isForFees`: the native coin where it is not listed, so that it only pays for transactions. `chain`: what the exchange's addresses had at the last comparison, by their role; null where nothing was compared
 * yet. `customers`: what came in by deposits less what was paid out, by the core; null while the engine is away. `leaving`: approved and
 * not final yet. `outflow`: what was paid in the last 24 hours. `share`: of the hot wallet in what customers have here.
 */
export type TreasuryRow = {
  readonly network: string
  readonly asset: string
  readonly isForFees: boolean
  readonly chain: { readonly [Role in TreasuryRole]: string | null }
  readonly total: string
  readonly customers: string | null
  readonly unfinal: string | null
  readonly leaving: string
  readonly outflow: string
  readonly share: string | null
  readonly block: number | null
  readonly at: number | null
}

/** Two members say that a transaction was the operator's own. `approvedBy`: null while a second one has to approve. */
export type MovementShown = {
  readonly id: number
  readonly reason: string
  readonly proposedBy: string
  readonly expiresAt: number
  readonly approvedBy: string | null
}

/** A difference between chain and books. `stops`: the signer signs nothing while it is open. `txid`: empty if none is known. */
export type TreasuryFinding = {
  readonly id: number
  readonly network: string
  readonly kind: string
  readonly asset: string
  readonly holder: string
  readonly amount: string
  readonly txid: string
  readonly url: string | null
  readonly stops: boolean
  readonly foundAt: number
  readonly closedAt: number | null
  readonly decision: MovementShown | null
  /** Whether two members can explain it by its transaction. */
  readonly isNameable: boolean
}

/** A sweep or a transfer of fuel that is not over. */
export type TreasuryJob = {
  readonly id: number
  readonly network: string
  readonly kind: string
  readonly asset: string
  readonly places: number
  readonly amount: string | null
  readonly state: string
  readonly trouble: string | null
  readonly madeAt: number
}

/** `beat`: what the signer was last told, and its refusal; null before the first time. `floatMax`: share that the hot wallet should not exceed. */
export type Treasury = {
  readonly beat: { readonly at: number; readonly isMatch: boolean; readonly refusal: string | null } | null
  readonly beatMaxMs: number
  readonly floatMax: string
  readonly rows: readonly TreasuryRow[]
  readonly findings: readonly TreasuryFinding[]
  readonly jobs: readonly TreasuryJob[]
  readonly stuck: number
}
