import type { FirmAccountKind, FirmMemberState, FirmRole, FirmState, WireFirmLogEntry, WireFirmRule, WireFirmTerms } from '../firm/firm.ts'

/** `number`: by which the console knows the firm. `applicant`: UID. `isOwn`: the reader takes part in it, and decides nothing about it. */
export type ConsoleFirmRow = {
  readonly number: number
  readonly name: string
  readonly registration: string
  readonly country: string
  readonly state: FirmState
  readonly applicant: string
  readonly appliedAt: number
  readonly decidedAt: number | null
  readonly isOwn: boolean
}
export type ConsoleFirms = { readonly firms: readonly ConsoleFirmRow[] }

/** `subject`: UID of the main account, by which terms are decided; absent before the firm is accepted. */
export type ConsoleFirm = ConsoleFirmRow & {
  readonly why: string | null
  readonly decidedBy: string | null
  readonly subject?: string
  readonly terms: WireFirmTerms
  readonly rule: WireFirmRule
  readonly accounts: readonly {
    readonly uid: string
    readonly kind: FirmAccountKind
    readonly label: string
    readonly isOpen: boolean
    readonly isArchived: boolean
    readonly isFrozen: boolean
  }[]
  readonly members: readonly { readonly uid: string; readonly label: string; readonly role: FirmRole; readonly state: FirmMemberState }[]
  readonly log: readonly Pick<WireFirmLogEntry, 'id' | 'at' | 'action' | 'who' | 'account'>[]
}
