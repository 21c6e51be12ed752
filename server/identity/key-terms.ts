import { createPublicKey } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { type KeyScope, keyScopes } from '@candor/core/protocol/wire/keys.ts'
import { Refused } from '../refused.ts'

/** Policy for all API keys of an exchange. */
export type KeyPolicy = {
  /** Whether a key that can withdraw needs an address list. */
  readonly needsIps: boolean
  /** Longest life of a key without an address list; undefined: unlimited. */
  readonly expiryMaxMs: number | undefined
}

const day = 86_400_000
/** In the sandbox there is no waiting, and nothing of value to lose. */
export const keyPolicies: Readonly<Record<'sandbox' | 'production', KeyPolicy>> = {
  sandbox: { needsIps: false, expiryMaxMs: undefined },
  production: { needsIps: true, expiryMaxMs: 90 * day },
}

export const keysMax = 30
/** Keys that an account may create per day, deleted ones included. */
export const keysPerDay = 100
/** Entries on a key's list of addresses. */
export const ipsMax = 20

/** The permissions of a key, the addresses from which it works, and its expiry (milliseconds; null: none). */
export type KeyTerms = { readonly scopes: readonly KeyScope[]; readonly ips: readonly string[]; readonly expiresAt: number | null }

/**
 * The terms in the one form that is stored: scopes in a fixed order with `read` included, each address once.
 *
 * throws  Refused FIELD_INVALID, KEY_NEEDS_IPS or KEY_NEEDS_EXPIRY
 */
export function normalTerms(given: KeyTerms, policy: KeyPolicy, now: number): KeyTerms {
  const scopes = keyScopes.filter((scope) => scope === 'read' || given.scopes.includes(scope))
  const ips = normalIps(given.ips)
  const { expiresAt } = given
  if (expiresAt !== null && expiresAt <= now) throw new Refused('FIELD_INVALID', { field: 'expiresAt' })
  const isBound = ips.length > 0 && !ips.some(isWide)
  if (policy.needsIps && !isBound && scopes.includes('withdraw')) throw new Refused('KEY_NEEDS_IPS', { field: 'ips' })
  if (policy.expiryMaxMs !== undefined && !isBound && (expiresAt === null || expiresAt > now + policy.expiryMaxMs))
    throw new Refused('KEY_NEEDS_EXPIRY', { field: 'expiresAt' })
  return { scopes, ips, expiresAt }
}

/** Each address once. throws  Refused FIELD_INVALID */
export function normalIps(given: readonly string[]): readonly string[] {
  if (given.length > ipsMax) throw new Refused('FIELD_INVALID', { field: 'ips' })
  return [...new Set(given.map(normalIp))]
}

/** Whether the change allows something that the key could not do before: more permissions, other addresses, or a later expiry. */
export function isWider(before: KeyTerms, after: KeyTerms): boolean {
  const hasMoreScopes = after.scopes.some((scope) => !before.scopes.includes(scope))
  const hasMoreIps = before.ips.length > 0 && (after.ips.length === 0 || after.ips.some((ip) => !before.ips.includes(ip)))
  const livesLonger = before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt)
  return hasMoreScopes || hasMoreIps || livesLonger
}

const prefixMax = { 4: 32, 6: 128 } as const
/** The widest network that one provider has; a wider one on a list would keep nobody out. */
const prefixMin = { 4: 8, 6: 16 } as const

function isWide(ip: string): boolean {
  const [address = '', prefix] = ip.split('/')
  return prefix !== undefined && Number(prefix) < prefixMin[isIP(address) as 4 | 6]
}

/** An address or a network, without leading zeros, ports or zones. */
function normalIp(text: string): string {
  const [address = '', prefix, ...rest] = text.trim().toLowerCase().split('/')
  const family = isIP(address)
  const isPrefixGood = prefix === undefined || (/^(0|[1-9][0-9]{0,2})$/.test(prefix) && Number(prefix) <= prefixMax[family as 4 | 6])
  if (family === 0 || address.includes('%') || rest.length > 0 || !isPrefixGood) throw new Refused('FIELD_INVALID', { field: 'ips' })
  return prefix === undefined ? address : `${address}/${prefix}`
}

/** Tests whether an address is on a key's list; an empty list allows every address. */
export function ipChecker(ips: readonly string[]): (ip: string) => boolean {
  if (ips.length === 0) return () => true
  const list = new BlockList()
  for (const ip of ips) {
    const [address = '', prefix] = ip.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  // The list also matches an IPv4 address in the form in which a dual-stack socket reports it, `::ffff:192.0.2.1`.
  return (ip) => {
    const family = isIP(ip)
    return family !== 0 && list.check(ip, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** A public key and the PEM that Node writes for it. */
export type PublicKey = { readonly kind: 'ed25519' | 'rsa'; readonly pem: string }

/** Bits of an RSA key. Shorter ones are weak, and longer ones take long to check. */
const rsaBits = { min: 2_048, max: 4_096 } as const
/** The exponent of nearly all RSA keys. A large one takes long to check. */
const rsaExponent = 65_537n

/**
 * Reads the PEM of an Ed25519 or RSA public key. A private key is refused: its owner has just disclosed it.
 *
 * throws  Refused PUBLIC_KEY_INVALID
 */
export function publicKeyOf(pem: string): PublicKey {
  const refused = new Refused('PUBLIC_KEY_INVALID', { field: 'publicKey' })
  if (!/^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/.test(pem)) throw refused
  try {
    const key = createPublicKey(pem.trim())
    const kind = key.asymmetricKeyType
    const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {}
    const isGoodRsa = modulusLength >= rsaBits.min && modulusLength <= rsaBits.max && publicExponent === rsaExponent
    if (kind === 'ed25519' || (kind === 'rsa' && isGoodRsa)) return { kind, pem: key.export({ type: 'spki', format: 'pem' }).toString() }
  } catch {
    throw refused
  }
  throw refused
}
