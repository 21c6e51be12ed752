export type Channel = 'email' | 'phone'

/** `to`: an email address, or a phone number in international form (+49…). Always answers 202, whether or not an account exists. */
export type WireCodeRequest = {
  readonly purpose: 'register' | 'reset'
  readonly channel: Channel
  readonly to: string
  readonly lang: string
}
/** Seconds until another code may be asked for, and until this one ends. */
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
}

export type WireLogin = { readonly channel: Channel; readonly to: string; readonly password: string; readonly lang: string }

/** Step 1 of a reset: a code buys one token. Step 2: the token sets the password and ends all sessions. */
export type WireResetCode = { readonly channel: Channel; readonly to: string; readonly code: string }
export type WireResetToken = { readonly token: string; readonly expiresIn: number }
export type WireReset = { readonly token: string; readonly password: string; readonly passwordAgain: string }
/** Keys and webhooks that were made within 30 days before the last reset of the password: whoever had the account made them, perhaps. */
export type WireRecentAccess = {
  /** When the password was reset; absent: not within 30 days. */
  readonly resetAt?: number
  readonly keys: readonly { readonly id: string; readonly label: string; readonly createdAt: number }[]
  readonly webhooks: readonly { readonly id: string; readonly url: string; readonly createdAt: number }[]
}
export type WireRevoked = { readonly keys: number; readonly webhooks: number }

export type WirePasswordChange = { readonly current: string; readonly password: string; readonly passwordAgain: string }

export type WireMe = {
  /** Random 9-digit number, the one people see. */
  readonly uid: string
  /** Masked: a•••e@example.com. */
  readonly email?: string
  readonly phone?: string
  readonly lang: string
  readonly invitationCode: string
  readonly certification: 'none' | 'in-progress' | 'certified'
  readonly feeTier: number
  readonly volume30d: string
  readonly createdAt: number
}

export type WireSession = {
  readonly id: string
  readonly device: string
  readonly ip: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly isCurrent: boolean
}

/** Who invites, for the registration form; never a whole name or address. */
export type WireInvitation = { readonly code: string; readonly inviter: string }

/** Highest leverage that the customer may open or enlarge anything with, and why: new until then, or by region. */
export type WireLeverageCeiling = { readonly leverage: number; readonly reason: 'new' | 'region'; readonly until: number | null }
