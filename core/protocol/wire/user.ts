export type Channel = 'email' | 'phone'

/** `to`: an email address, or a phone number in international form (+49…). The answer is always 202, whether or not an account exists. */
export type WireCodeRequest = {
  readonly purpose: 'register' | 'reset'
  readonly channel: Channel
  readonly to: string
  readonly lang: string
}
/** Seconds until another code may be requested, and until this one expires. */
export type WireCodeSent = { readonly resendAfter: number; readonly expiresIn: number }

export type WireRegister = {
  readonly channel: Channel
  readonly to: string
  readonly code: string
  readonly password: string
  readonly passwordAgain: string
  readonly invitation?: string
  readonly agreement: boolean
  readonly lang: string
} & WireResidence

/** The country of residence (ISO 3166, two capital letters), and the customer's word to be 18 or older. */
export type WireResidence = { readonly country: string; readonly isOfAge: boolean }

/** Declarations that a customer still owes: the country of residence, or consent to a new version of the user agreement. */
export type Due = 'residence' | 'agreement'

export type WireLogin = { readonly channel: Channel; readonly to: string; readonly password: string; readonly lang: string }

/** Step 1 of a password reset: a code is exchanged for a token. Step 2: the token sets the password and ends all sessions. */
export type WireResetCode = { readonly channel: Channel; readonly to: string; readonly code: string }
export type WireResetToken = { readonly token: string; readonly expiresIn: number }
export type WireReset = { readonly token: string; readonly password: string; readonly passwordAgain: string }
/** Keys and webhooks made within 30 days before the last password reset, when a stranger may have had access to the account. */
export type WireRecentAccess = {
  /** Time of the last password reset; absent if it was not within 30 days. */
  readonly resetAt?: number
  readonly keys: readonly { readonly id: string; readonly label: string; readonly createdAt: number }[]
  readonly webhooks: readonly { readonly id: string; readonly url: string; readonly createdAt: number }[]
}
export type WireRevoked = { readonly keys: number; readonly webhooks: number }

export type WirePasswordChange = { readonly current: string; readonly password: string; readonly passwordAgain: string }

export type WireMe = {
  /** Random 9-digit number that people see. */
  readonly uid: string
  /** Masked: a•••e@example.com. */
  readonly email?: string
  readonly phone?: string
  readonly lang: string
  readonly invitationCode: string
  readonly certification: 'none' | 'in-progress' | 'certified'
  readonly feeTier: number
  readonly volume30d: string
  /** In Futures, which have a volume and tiers of their own. */
  readonly perpFeeTier: number
  readonly perpVolume30d: string
  /** Limit and use of today's spot turnover (UTC day), and what open orders could still execute, in USDT; null: it is not limited. */
  readonly turnover: { readonly limit: string; readonly used: string; readonly open: string } | null
  readonly createdAt: number
  readonly residence: string | null
  readonly due: readonly Due[]
  /** The present version of the user agreement. */
  readonly agreementVersion: string
}

export type WireSession = {
  readonly id: string
  readonly device: string
  readonly ip: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly isCurrent: boolean
}

/** The inviter, for the registration form; never a full name or address. */
export type WireInvitation = { readonly code: string; readonly inviter: string }

/** Highest leverage at which the customer may open or enlarge anything, and why: new until this time, or by region. */
export type WireLeverageCeiling = { readonly leverage: number; readonly reason: 'new' | 'region'; readonly until: number | null }
