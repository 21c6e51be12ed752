/** Permissions of a key. Every key may read. */
export const keyScopes = ['read', 'trade', 'withdraw'] as const
export type KeyScope = (typeof keyScopes)[number]

/** `hmac`: both sides know the secret. `ed25519`, `rsa`: the exchange has only the public key. */
export const keyKinds = ['hmac', 'ed25519', 'rsa'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A key as shown to its owner, always without its secret. */
export type WireKey = {
  readonly id: string
  /** The key that programs send as `X-MBX-APIKEY`. */
  readonly key: string
  readonly label: string
  readonly kind: KeyKind
  readonly scopes: readonly KeyScope[]
  /** Addresses and networks (1.2.3.4, 10.0.0.0/8) that the key works from; empty: from anywhere. */
  readonly ips: readonly string[]
  readonly createdAt: number
  /** Absent: the key does not expire. */
  readonly expiresAt?: number
  /** To the minute; absent: never used. */
  readonly lastUsedAt?: number
  readonly lastIp?: string
  /** Of a key of a firm: label of the member who made it. */
  readonly madeBy?: string
}

/** `keysMax`: most keys per account. `needsIps`, `expiryMaxMs`: rules for keys here, see `WireNewKey`. */
export type WireKeys = {
  readonly keys: readonly WireKey[]
  readonly keysMax: number
  readonly ipsMax: number
  /** Whether a key that may withdraw needs a list of addresses. */
  readonly needsIps: boolean
  /** Longest life of a key without a list of addresses; absent: unlimited. */
  readonly expiryMaxMs?: number
}

/**
 * `publicKey`: PEM of an Ed25519 or RSA public key; without it the exchange creates an HMAC secret. `password`: the login password,
 * asked for again.
 */
export type WireNewKey = {
  readonly label: string
  readonly scopes: readonly KeyScope[]
  readonly ips: readonly string[]
  readonly expiresAt?: number
  readonly publicKey?: string
  readonly password: string
}

/** `secret`: of an HMAC key, shown only this once. */
export type WireKeyMade = { readonly key: WireKey; readonly secret?: string }

/** Absent fields stay unchanged. `expiresAt` null: no expiry. `password`: needed for any change that permits the key more than before. */
export type WireKeyChange = {
  readonly label?: string
  readonly scopes?: readonly KeyScope[]
  readonly ips?: readonly string[]
  readonly expiresAt?: number | null
  readonly password?: string
}
