import type { WireAccount } from '../funds.ts'

/** Firms: corporate customers whose accounts several members use, each with the rights of a role. Nobody logs in to a firm's account. */
export const firmRoles = ['owner', 'admin', 'treasurer', 'trader', 'viewer'] as const
export type FirmRole = (typeof firmRoles)[number]

/**
 * `read`: balances, orders, statements. `trade`: orders, positions, transfers within an account. `treasury`: deposits, moves between
 * accounts, asking for withdrawals and addresses. `approve`: counts towards the rule. `manage`: members, accounts, keys, the rule.
 */
export const firmRights = ['read', 'trade', 'treasury', 'approve', 'manage'] as const
export type FirmRight = (typeof firmRights)[number]

export const rightsOf: Readonly<Record<FirmRole, readonly FirmRight[]>> = {
  owner: ['read', 'trade', 'treasury', 'approve', 'manage'],
  admin: ['read', 'trade', 'approve', 'manage'],
  treasurer: ['read', 'treasury', 'approve'],
  trader: ['read', 'trade'],
  viewer: ['read'],
}

export const firmAccountsMax = 20
export const firmMembersMax = 50
export const firmBandsMax = 5
/** Names of firms, accounts and members. */
export const firmNameMax = 60
/** A request that is not decided by then ends. */
export const firmRequestMs = 7 * 86_400_000

/** `applied`: a member of the staff has not decided. `refused`: with the reason. */
export const firmStates = ['applied', 'active', 'refused'] as const
export type FirmState = (typeof firmStates)[number]

/** `main`: the only one that withdraws. */
export type FirmAccountKind = 'main' | 'sub'

/** `uid`: by which members act for the account. `isArchived`: hidden, and nobody trades on it. */
export type WireFirmAccount = {
  readonly id: string
  readonly uid: string
  readonly kind: FirmAccountKind
  readonly label: string
  readonly madeAt: number
  readonly isArchived: boolean
}

/** `ended` members keep their row, because requests and the log name them. */
export const firmMemberStates = ['invited', 'active', 'ended'] as const
export type FirmMemberState = (typeof firmMemberStates)[number]

/** `accounts`: ids of the accounts that the member sees and uses; null for all. `contact`: masked. */
export type WireFirmMember = {
  readonly id: string
  readonly uid: string
  readonly label: string
  readonly contact: string
  readonly role: FirmRole
  readonly accounts: readonly string[] | null
  readonly state: FirmMemberState
  readonly invitedAt: number
  readonly joinedAt?: number
}

/**
 * A withdrawal needs as many people as the first band that holds its value and all withdrawals of the last 24 hours; `upTo` in USDT, null
 * for any value. The asker counts as one if their role approves. Withdrawals of other coins need the last band's people.
 */
export type WireFirmBand = { readonly upTo: string | null; readonly people: number }
/** `addressPeople`: for new addresses. Changes of the rule, and of who may approve, need the most that any part of the rule asks for. */
export type WireFirmRule = { readonly bands: readonly WireFirmBand[]; readonly addressPeople: number }

/** Terms of its own, decided by two members of the staff. `tier`: at least this fee tier. `withdrawMax`: USDT a UTC day. */
export type WireFirmTerms = { readonly tier: number; readonly withdrawMax: string }

/** What members see. `approvers`: active members whose role approves. */
export type WireFirm = {
  readonly id: string
  readonly name: string
  readonly registration: string
  readonly country: string
  readonly state: FirmState
  readonly why?: string
  readonly appliedAt: number
  readonly me: { readonly member: string; readonly role: FirmRole; readonly rights: readonly FirmRight[] }
  readonly accounts: readonly WireFirmAccount[]
  readonly members: readonly WireFirmMember[]
  readonly approvers: number
  readonly rule: WireFirmRule
  readonly terms: WireFirmTerms
  readonly openRequests: number
}

/** `invited`: by whom, masked; the customer has not answered. */
export type WireFirmShort = {
  readonly id: string
  readonly name: string
  readonly state: FirmState
  readonly role: FirmRole
  readonly memberState: 'invited' | 'active'
  readonly accounts: readonly WireFirmAccount[]
}
export type WireFirms = { readonly firms: readonly WireFirmShort[] }

/** `label`: the applicant's own name in the firm; without it, their masked contact. */
export type WireNewFirm = { readonly name: string; readonly registration: string; readonly country: string; readonly label?: string }
export type WireNewFirmAccount = { readonly label: string }
export type WireFirmAccountChange = { readonly label?: string; readonly isArchived?: boolean }
/** `from`, `to`: ids of accounts of the firm. Coins of the spot accounts. A repeat with the same client id moves nothing again. */
export type WireFirmMove = {
  readonly clientId: string
  readonly from: string
  readonly to: string
  readonly asset: string
  readonly amount: string
}
/** `uid`: of the customer who is invited. `accounts`: null for all. */
export type WireNewFirmMember = {
  readonly uid: string
  readonly label: string
  readonly role: Exclude<FirmRole, 'owner'>
  readonly accounts: readonly string[] | null
}
export type WireFirmMemberChange = {
  readonly label?: string
  readonly role?: Exclude<FirmRole, 'owner'>
  readonly accounts?: readonly string[] | null
}

/** `accounts`: as in the customer's own balances. `totalUsdt`: worth of the account, or of all that the member sees. */
export type WireFirmBalance = { readonly id: string; readonly totalUsdt: string; readonly accounts: readonly WireAccount[] }
export type WireFirmBalances = { readonly accounts: readonly WireFirmBalance[]; readonly totalUsdt: string }

/** Newest first. `who`: label of the member; absent when the exchange did it. */
export type WireFirmLogEntry = {
  readonly id: string
  readonly at: number
  readonly action: string
  readonly who?: string
  readonly account?: string
  readonly detail: Readonly<Record<string, string | number | boolean>>
  readonly ip?: string
  readonly device?: string
}
