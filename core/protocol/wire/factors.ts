/** Second factors: passkeys, an authenticator app, recovery codes; and proofs of who someone is before a sensitive change. */

/** The rest of a login whose password is right: a code of the authenticator app, or a recovery code. */
export type WireLoginCode = { readonly code: string }

/** A new secret for an authenticator app; it counts once a code of it is confirmed. `uri`: for a QR code. */
export type WireAuthenticator = { readonly secret: string; readonly uri: string }
/** `recoveryCodes`: shown this once; absent if the account has some already. */
export type WireFactorAdded = { readonly recoveryCodes?: readonly string[] }
export type WireRecoveryCodes = { readonly recoveryCodes: readonly string[] }

export type WirePasskey = {
  readonly id: string
  readonly label: string
  /** Whether the passkey is kept by an account of its maker, and so outlives the device. */
  readonly isSynced: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
}
/** `options`, `response`: as WebAuthn defines them, in JSON. */
export type WirePasskeyOptions = { readonly options: Readonly<Record<string, unknown>> }
export type WirePasskeyResponse = { readonly response: Readonly<Record<string, unknown>> }
export type WireNewPasskey = WirePasskeyResponse & { readonly label: string }

/** Ways in which this account proves itself: `code` with the password, where there is no factor yet. */
export type ProofWay = 'passkey' | 'authenticator' | 'recovery' | 'code'

export type WireFactors = {
  /** When an authenticator app was added; null without one. */
  readonly authenticatorSince: number | null
  readonly passkeys: readonly WirePasskey[]
  readonly recoveryCodesLeft: number
  /** Whether mails begin with words that the owner chose. */
  readonly hasPhrase: boolean
  readonly ways: readonly ProofWay[]
  /** Until when this session may make sensitive changes; null if it must prove itself first. */
  readonly provenUntil: number | null
}

export type WireProof =
  | { readonly way: 'authenticator' | 'recovery'; readonly code: string }
  | { readonly way: 'code'; readonly code: string; readonly password: string }
  | { readonly way: 'passkey'; readonly response: Readonly<Record<string, unknown>> }
export type WireProven = { readonly provenUntil: number }

/** Words of the owner, 4 to 32 letters long, with which every mail to them begins. */
export type WirePhrase = { readonly phrase: string }

/** Logins and security changes of the account, newest first. `next`: where the next page begins; absent at the end. */
export type WireAccess = {
  readonly id: number
  readonly action: string
  readonly at: number
  readonly device: string
  readonly ip: string
}
export type WireAccesses = { readonly entries: readonly WireAccess[]; readonly next?: number }
