import type { FirmRole, WireFirmRule } from './firm.ts'

/** What members ask for and others approve. `member`: somebody gets or loses a role that approves. */
export const firmRequestKinds = ['withdrawal', 'address', 'rule', 'member'] as const
export type FirmRequestKind = (typeof firmRequestKinds)[number]

/** `approved`: enough people said so, and it is being carried out. `failed`: it could not be, for the reason. */
export const firmRequestStates = ['open', 'approved', 'done', 'failed', 'refused', 'cancelled', 'expired'] as const
export type FirmRequestState = (typeof firmRequestStates)[number]

/** `address`: id on the list of the main account. `amount` with the fee. */
export type WireFirmWithdrawal = {
  readonly network: string
  readonly asset: string
  readonly address: string
  readonly amount: string
  readonly fee: string
}
/** As in the customer's own list. */
export type WireFirmAddress = {
  readonly network: string
  readonly address: string
  readonly label: string
  readonly owner: 'own' | 'exchange'
  readonly exchange?: string
  readonly beneficiary?: string
  readonly middle?: string
}
/** `role` null: the member ends. `uid` and `label`: of somebody who is not a member yet. */
export type WireFirmMemberWish = {
  readonly member?: string
  readonly uid?: string
  readonly label?: string
  readonly role: Exclude<FirmRole, 'owner'> | null
  readonly accounts?: readonly string[] | null
}

export type WireFirmWish =
  | { readonly kind: 'withdrawal'; readonly withdrawal: WireFirmWithdrawal }
  | { readonly kind: 'address'; readonly address: WireFirmAddress }
  | { readonly kind: 'rule'; readonly rule: WireFirmRule }
  | { readonly kind: 'member'; readonly member: WireFirmMemberWish }

/** A repeat with the same client id gets the first answer. */
export type WireNewFirmRequest = WireFirmWish & { readonly clientId: string }

export type WireFirmVerdict = { readonly member: string; readonly label: string; readonly isApproved: boolean; readonly at: number }

/**
 * `people`: how many the rule asked for when it was made, or asks for now if that is more. `shown`: what it is about, in words that do not
 * change with the lists: the address itself, the name of the member. `canApprove`, `canRefuse`: the reader may still do so.
 */
export type WireFirmRequest = WireFirmWish & {
  readonly id: string
  readonly shown: Readonly<Record<string, string>>
  readonly state: FirmRequestState
  readonly reason?: string
  readonly askedBy: string
  readonly askedAt: number
  readonly expiresAt: number
  readonly people: number
  readonly verdicts: readonly WireFirmVerdict[]
  readonly canApprove: boolean
  readonly canRefuse: boolean
  readonly canCancel: boolean
  /** Of the core, once it has taken the withdrawal. */
  readonly withdrawalId?: string
}
