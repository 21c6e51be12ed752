/** The security centre beside second factors: the addresses of the account, the payment password, and the freeze. */
import type { Channel } from './user.ts'

export type WireSafety = {
  /** Masked: a•••e@example.com; null without one. */
  readonly email: string | null
  readonly phone: string | null
  readonly hasPaymentPassword: boolean
  /** Until when no payment password is taken, after five wrong ones; null if it is taken. */
  readonly paymentLockedUntil: number | null
  /** Until when no withdrawal leaves the account, after a change of its protection; null if they are open. */
  readonly withdrawalsClosedUntil: number | null
  readonly allowList: WireAllowList
  /** The open request to regain access without a second factor; null without one. `dueAt`: null until it begins to wait. */
  readonly regain: { readonly createdAt: number; readonly dueAt: number | null } | null
}

/** Whether no withdrawal address can be added to the account. `endsAt`: when that ends, once it is being switched off. */
export type WireAllowList = { readonly isOn: boolean; readonly endsAt: number | null }
export type WireAllowListSwitch = { readonly isOn: boolean }

/** An address that the account wants to have, in place of the one of the same channel. The answer is the same if another account has it. */
export type WireAddressRequest = { readonly channel: Channel; readonly to: string }
export type WireAddress = WireAddressRequest & { readonly code: string }

/** Six digits. `current`: the present ones; without it the session must have proved itself. */
export type WirePaymentPassword = { readonly digits: string; readonly current?: string }

/** The token of a link in a message about a change that was not the owner's. */
export type WireFreezeLink = { readonly token: string }
