/** What a program may do with a key. Every key may read. */
export const keyScopes = ['read', 'trade', 'withdraw'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Of `hmac` both sides know the secret; of `ed25519` the exchange has the public key alone. */
export const keyKinds = ['hmac', 'ed25519'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A key as its owner sees it; never with its secret. */
export type WireKey = {
  readonly id: string
  /** What programs send as `X-MBX-APIKEY`. */
  readonly key: string
  readonly label: string
  readonly kind: KeyKind
  readonly scopes: readonly KeyScope[]
  /** Addresses and networks (1.2.3.4, 10.0.0.0/8) that it works from; none: from anywhere. */
  readonly ips: readonly string[]
  readonly createdAt: number
  /** Missing: it has no end. */
  readonly expiresAt?: number
  /** To the minute; missing: never used. */
  readonly lastUsedAt?: number
  readonly lastIp?: string
}

/** `keysMax`: how many one account may have. `needsIps`, `expiryMaxMs`: what holds for keys here, see `WireNewKey`. */
export type WireKeys = {
  readonly keys: readonly WireKey[]
  readonly keysMax: number
  readonly ipsMax: number
  /** Whether a key that withdraws needs a list of addresses. */
  readonly needsIps: boolean
  /** How long a key without a list of addresses may live; missing: for ever. */
  readonly expiryMaxMs?: number
}

/** `publicKey`: PEM of an Ed25519 public key; without one the exchange draws an HMAC secret. `password`: of the login, asked for anew. */
export type WireNewKey = {
  readonly label: string
  readonly scopes: readonly KeyScope[]
  readonly ips: readonly string[]
  readonly expiresAt?: number
  readonly publicKey?: string
  readonly password: string
}

/** `secret`: of an HMAC key, told this once. */
export type WireKeyMade = { readonly key: WireKey; readonly secret?: string }

/** What is missing stays. `expiresAt` null: no end. `password`: needed by whatever lets the key do more than before. */
export type WireKeyChange = {
  readonly label?: string
  readonly scopes?: readonly KeyScope[]
  readonly ips?: readonly string[]
  readonly expiresAt?: number | null
  readonly password?: string
}
