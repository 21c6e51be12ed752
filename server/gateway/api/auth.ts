import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { Context } from '../context.ts'
import { ApiError, illegal, missing, repeated } from './errors.ts'
import type { ApiUser, KeyRing, ReadyKey } from './key-ring.ts'

/** A request as it arrived: nothing decoded, ordered or encoded anew. */
export type RawRequest = {
  /** `X-MBX-APIKEY`. */
  readonly key: string | undefined
  /** What stands behind the question mark. */
  readonly query: string
  readonly body: Uint8Array | undefined
  readonly ip: string
}

/** scope  what the key must be good for; mandatory  names whose absence is said before time and signature are looked at */
export type Need = { readonly scope: KeyScope; readonly mandatory?: readonly string[] }

const recvWindowDefault = 5_000
const recvWindowMax = 60_000
const aheadMax = 1_000
const keyShape = /^[A-Za-z0-9]{64}$/

const keyMalformed = () => new ApiError(-2014, 'API-key format invalid.', 401)
const keyRefused = () => new ApiError(-2015, 'Invalid API-key, IP, or permissions for action.', 401)
const signatureWrong = () => new ApiError(-1022, 'Signature for this request is not valid.')
const behind = () => new ApiError(-1021, 'Timestamp for this request is outside of the recvWindow.')
const ahead = () => new ApiError(-1021, "Timestamp for this request was 1000ms ahead of the server's time.")
const windowTooLong = () => new ApiError(-1131, 'recvWindow must be less than 60000')

/**
 * Who sends a request of the programs' API. What is wrong is said in the order that clients rely on: the key and the
 * address that it came from, what is missing, the time, the signature, and what the key may do.
 */
export class ApiAuth {
  readonly #ring: KeyRing
  readonly #now: () => number

  /** now  the wall clock that timestamps are held against */
  constructor(ring: KeyRing, now: () => number) {
    this.#ring = ring
    this.#now = now
  }

  /**
   * For what needs a key and no signature.
   *
   * throws  ApiError -2014 or -2015
   */
  async known(key: string | undefined, ip: string, scope: KeyScope = 'read'): Promise<ApiUser> {
    const ready = await this.#find(key, ip)
    if (!ready.owner.scopes.has(scope)) throw keyRefused()
    this.#ring.used(ready, ip)
    return ready.owner
  }

  /**
   * For what is signed: HMAC-SHA256 or Ed25519 over the raw query followed at once by the raw body, both without the
   * parameter `signature`, wherever it stands.
   *
   * throws  ApiError -2014, -2015, -1101, -1102, -1100, -1131, -1021 or -1022
   */
  async signed({ key, query, body, ip }: RawRequest, { scope, mandatory = [] }: Need): Promise<ApiUser> {
    const ready = await this.#find(key, ip)
    const [inQuery, inBody] = [partsOf(query), partsOf(body === undefined ? '' : Buffer.from(body).toString('latin1'))]
    const read = (name: string): string | undefined => once(inQuery, name) ?? once(inBody, name)
    // What the query says wins over the body; of signatures there must be no second one that was not looked at.
    if (count(inQuery, 'signature') + count(inBody, 'signature') > 1) throw repeated('signature')
    for (const name of [...mandatory, 'timestamp', 'signature']) if (!read(name)) throw missing(name)
    this.#checkTime(read('timestamp') as string, read('recvWindow'))
    const message = [inQuery, inBody].map((parts) => Buffer.from(withoutSignature(parts), 'latin1'))
    return this.#admit(ready, message, read('signature') as string, scope, ip)
  }

  /**
   * For what is signed on a socket: over all parameters but the signature, by name, as `name=value` joined by `&`.
   *
   * throws  as `signed`
   */
  async signedParams(params: Readonly<Record<string, unknown>>, ip: string, { scope, mandatory = [] }: Need): Promise<ApiUser> {
    const { apiKey } = params
    const ready = await this.#find(typeof apiKey === 'string' ? apiKey : undefined, ip)
    const read = (name: string): string => (Object.hasOwn(params, name) ? textOf(params[name]) : '')
    for (const name of [...mandatory, 'timestamp', 'signature']) if (read(name) === '') throw missing(name)
    this.#checkTime(read('timestamp'), read('recvWindow') || undefined)
    const names = Object.keys(params).filter((name) => name !== 'signature')
    const message = names.sort().map((name) => `${name}=${read(name)}`)
    return this.#admit(ready, [Buffer.from(message.join('&'))], read('signature'), scope, ip)
  }

  /**
   * For what a socket asks that logged on with this key: as `signedParams`, without a signature.
   *
   * throws  as `signed`, but for -1022
   */
  async loggedOn(key: string, params: Readonly<Record<string, unknown>>, ip: string, { scope, mandatory = [] }: Need): Promise<ApiUser> {
    const ready = await this.#find(key, ip)
    const read = (name: string): string => (Object.hasOwn(params, name) ? textOf(params[name]) : '')
    for (const name of [...mandatory, 'timestamp']) if (read(name) === '') throw missing(name)
    this.#checkTime(read('timestamp'), read('recvWindow') || undefined)
    if (!ready.owner.scopes.has(scope)) throw keyRefused()
    this.#ring.used(ready, ip)
    return ready.owner
  }

  async #find(key: string | undefined, ip: string): Promise<ReadyKey> {
    if (key === undefined || !keyShape.test(key)) throw keyMalformed()
    const ready = this.#ring.remembered(key) ?? (await this.#ring.find(key))
    if (!ready?.isAllowedFrom(ip)) throw keyRefused()
    const { expiresAt } = ready.owner
    if (expiresAt !== null && expiresAt <= this.#now()) throw keyRefused()
    return ready
  }

  #admit(ready: ReadyKey, message: readonly Uint8Array[], signature: string, scope: KeyScope, ip: string): ApiUser {
    if (!ready.signed(message, signature)) throw signatureWrong()
    if (!ready.owner.scopes.has(scope)) throw keyRefused()
    this.#ring.used(ready, ip)
    return ready.owner
  }

  #checkTime(timestamp: string, recvWindow: string | undefined): void {
    if (!/^[0-9]{1,16}$/.test(timestamp)) throw illegal('timestamp', '^[0-9]{1,16}$')
    if (recvWindow !== undefined && !/^[0-9]{1,10}(\.[0-9]{1,3})?$/.test(recvWindow)) {
      throw illegal('recvWindow', '^[0-9]{1,10}(\\.[0-9]{1,3})?$')
    }
    const window = recvWindow === undefined ? recvWindowDefault : Number(recvWindow)
    if (window > recvWindowMax) throw windowTooLong()
    const age = this.#now() - Number(timestamp)
    if (age <= -aheadMax) throw ahead()
    if (age > window) throw behind()
  }
}

const stampedContexts = new WeakMap<object, WeakMap<ApiUser, object>>()

/** The same exchange, each command that goes through it stamped in the journal with the key that asked for it. */
export function stamped<T extends Pick<Context, 'submit'>>(context: T, owner: ApiUser): T {
  let byOwner = stampedContexts.get(context)
  if (!byOwner) stampedContexts.set(context, (byOwner = new WeakMap()))
  const made = byOwner.get(owner)
  if (made) return made as T
  const own: T = { ...context, submit: (command) => context.submit(command, owner.keyId) }
  byOwner.set(owner, own)
  return own
}

type Part = { readonly text: string; readonly name: string; readonly value: string }

/** `name=value` between ampersands: the text as it is, for the signature, and the name as whoever reads it later sees it. */
function partsOf(text: string): readonly Part[] {
  if (text === '') return []
  return text.split('&').map((part) => {
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    return { text: part, name: /[%+]/.test(name) ? decoded(name) : name, value: at < 0 ? '' : part.slice(at + 1) }
  })
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

const count = (parts: readonly Part[], name: string): number => parts.reduce((sum, part) => (part.name === name ? sum + 1 : sum), 0)

/** throws  ApiError -1101 when it stands there twice */
function once(parts: readonly Part[], name: string): string | undefined {
  const found = parts.filter((part) => part.name === name)
  if (found.length > 1) throw repeated(name)
  return found[0]?.value
}

function withoutSignature(parts: readonly Part[]): string {
  return parts
    .filter(({ name }) => name !== 'signature')
    .map(({ text }) => text)
    .join('&')
}

/** Numbers and booleans as they read in JSON, lists and objects as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
