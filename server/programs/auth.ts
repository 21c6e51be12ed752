import type { UserId } from '@candor/core/protocol/ids.ts'
import type { KeyScope } from '@candor/core/protocol/wire/keys.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { refusalAtRest, type RestParts } from '../live/requests/member-rest.ts'
import type { Context } from './context.ts'
import { ApiError, illegal, missing, repeated } from './errors.ts'
import type { ApiUser, KeyRing, ReadyKey } from './key-ring.ts'
import type { Sent } from './params.ts'

/** A request as it arrived: nothing is decoded, reordered or re-encoded. */
export type RawRequest = {
  /** `X-MBX-APIKEY`. */
  readonly key: string | undefined
  /** The part after the question mark. */
  readonly query: string
  readonly body: Uint8Array | undefined
  /** The decoded parameters: no name occurs twice in the query or in the body, and no name needs decoding. */
  readonly sent: Sent
  readonly ip: string
}

/**
 * scope      permission that the key must have
 * mandatory  names whose absence is reported before time and signature are checked
 */
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
 * Authenticates requests of the API for programs. Errors are reported in the order that clients rely on: the key and its address,
 * missing parameters, the time, the signature, and what the key permits.
 */
export class ApiAuth {
  readonly #ring: KeyRing
  readonly #now: () => number

  /** now  the wall clock that timestamps are compared with */
  constructor(ring: KeyRing, now: () => number) {
    this.#ring = ring
    this.#now = now
  }

  /**
   * The caller of a request that needs a key but no signature.
   *
   * throws  ApiError -2014 or -2015
   */
  async known(key: string | undefined, ip: string, scope: KeyScope = 'read'): Promise<ApiUser> {
    const ready = await this.#find(key, ip)
    if (!ready.owner.scopes.has(scope)) throw keyRefused()
    this.#ring.used(ready, ip)
    return ready.owner
  }

  /** Whether this key is in memory: it was valid a moment ago. */
  isKnown(key: string | undefined): boolean {
    return this.userOf(key) !== undefined
  }

  /** The user of a key that is in memory. */
  userOf(key: string | undefined): UserId | undefined {
    return key === undefined ? undefined : this.#ring.remembered(key)?.owner.user
  }

  /**
   * The caller of a signed request: HMAC-SHA256, Ed25519 or RSA over the raw query followed directly by the raw body, both without the
   * parameter `signature`, wherever it is. Throws at once when the key is in memory, rejects otherwise.
   *
   * throws  ApiError -2014, -2015, -1101, -1102, -1100, -1131, -1021 or -1022
   */
  signed(request: RawRequest, need: Need): ApiUser | Promise<ApiUser> {
    const { key, ip } = request
    const ready = key === undefined ? undefined : this.#ring.remembered(key)
    return ready
      ? this.#signed(this.#checked(ready, ip), request, need)
      : this.#find(key, ip).then((found) => this.#signed(found, request, need))
  }

  #signed(ready: ReadyKey, { query, body, sent, ip }: RawRequest, { scope, mandatory = [] }: Need): ApiUser {
    const form = body === undefined || body.length === 0 ? '' : Buffer.from(body).toString('latin1')
    const inQuery = cutSignature(query)
    const inForm = cutSignature(form)
    // The query has precedence over the body. A second signature, which would not be checked, must not be accepted.
    if (inQuery && inForm) throw repeated('signature')
    for (const name of mandatory) if (!sent.get(name)) throw missing(name)
    const timestamp = sent.get('timestamp')
    if (!timestamp) throw missing('timestamp')
    const signature = inQuery?.signature || inForm?.signature
    if (!signature) throw missing('signature')
    this.#checkTime(wholeNumber(timestamp), sent.get('recvWindow'))
    const message = (inQuery?.rest ?? query) + (inForm?.rest ?? form)
    return this.#admit(ready, message, 'latin1', signature, scope, ip)
  }

  /**
   * The caller of a signed request on a socket: the signature is over all parameters except itself, sorted by name, as
   * `name=value` joined by `&`.
   *
   * throws  like `signed`
   */
  async signedParams(params: Readonly<Record<string, unknown>>, ip: string, { scope, mandatory = [] }: Need): Promise<ApiUser> {
    const { apiKey } = params
    const ready = await this.#find(typeof apiKey === 'string' ? apiKey : undefined, ip)
    const read = (name: string): string => (Object.hasOwn(params, name) ? textOf(params[name]) : '')
    for (const name of [...mandatory, 'timestamp', 'signature']) if (read(name) === '') throw missing(name)
    this.#checkTime(wholeNumber(read('timestamp')), read('recvWindow') || undefined)
    const names = Object.keys(params).filter((name) => name !== 'signature')
    const message = names.sort().map((name) => `${name}=${read(name)}`)
    return this.#admit(ready, message.join('&'), 'utf8', read('signature'), scope, ip)
  }

  /**
   * The caller of a request on a socket that is logged on with this key: like `signedParams`, without a signature.
   *
   * throws  like `signed` except -1022, or rejects with it
   */
  loggedOn(
    key: string,
    params: Readonly<Record<string, unknown>>,
    ip: string,
    { scope, mandatory = [] }: Need,
  ): ApiUser | Promise<ApiUser> {
    const admitted = (ready: ReadyKey): ApiUser => {
      for (const name of mandatory) if (!isSent(params, name)) throw missing(name)
      if (!isSent(params, 'timestamp')) throw missing('timestamp')
      const { timestamp } = params
      const isTime = typeof timestamp === 'number' && Number.isSafeInteger(timestamp) && timestamp >= 0
      this.#checkTime(
        isTime ? timestamp : wholeNumber(textOf(timestamp)),
        isSent(params, 'recvWindow') ? textOf(params['recvWindow']) : undefined,
      )
      if (!ready.owner.scopes.has(scope)) throw keyRefused()
      this.#ring.used(ready, ip)
      return ready.owner
    }
    const ready = this.#ring.remembered(key)
    return ready ? admitted(this.#checked(ready, ip)) : this.#find(key, ip).then(admitted)
  }

  async #find(key: string | undefined, ip: string): Promise<ReadyKey> {
    if (key === undefined || !keyShape.test(key)) throw keyMalformed()
    return this.#checked(this.#ring.remembered(key) ?? (await this.#ring.find(key)), ip)
  }

  #checked(ready: ReadyKey | undefined, ip: string): ReadyKey {
    if (!ready?.isAllowedFrom(ip)) throw keyRefused()
    const { expiresAt } = ready.owner
    if (expiresAt !== null && expiresAt <= this.#now()) throw keyRefused()
    return ready
  }

  #admit(ready: ReadyKey, message: string, encoding: 'latin1' | 'utf8', signature: string, scope: KeyScope, ip: string): ApiUser {
    if (!ready.signed(message, encoding, signature)) throw signatureWrong()
    if (!ready.owner.scopes.has(scope)) throw keyRefused()
    this.#ring.used(ready, ip)
    return ready.owner
  }

  #checkTime(timestamp: number, recvWindow: string | undefined): void {
    if (recvWindow !== undefined && !/^[0-9]{1,10}(\.[0-9]{1,3})?$/.test(recvWindow)) {
      throw illegal('recvWindow', '^[0-9]{1,10}(\\.[0-9]{1,3})?$')
    }
    const window = recvWindow === undefined ? recvWindowDefault : Number(recvWindow)
    if (window > recvWindowMax) throw windowTooLong()
    // No request arrives in zero time: a client that sends 0 has a mistake in its number.
    if (window === 0) throw illegal('recvWindow', 'above zero')
    const age = this.#now() - timestamp
    if (age <= -aheadMax) throw ahead()
    if (age > window) throw behind()
  }
}

const stampedContexts = new WeakMap<object, WeakMap<ApiUser, object>>()

/** Commands that are counted as orders before they are sent. */
const counted = new Set<Command['type']>(['spot.place', 'spot.placeOco', 'spot.placeList', 'perp.place', 'perp.amend'])

type Sending = Pick<Context, 'submit' | 'orderCounts'> & RestParts

/** Sends a command, but not what opens risk during the break of a firm's member who made the key. Without a break nothing waits here. */
function sent(context: Sending, { user, keyId, restUntil }: ApiUser, command: Command): Promise<Outcome> {
  if (restUntil === 0 || restUntil <= context.now()) return context.submit(command, keyId)
  return refusalAtRest(context, user, command).then((refusal) => refusal ?? context.submit(command, keyId))
}

/**
 * Sends a command, stamped in the journal with the caller's key. Refusals by the exchange count against the order rate.
 *
 * answer  turns the outcome into the result: saves a promise compared to a caller that awaits it first
 *
 * throws  ApiError -1015, at once
 */
export function submitFor<T>(context: Sending, owner: ApiUser, command: Command, answer: (outcome: Outcome) => T | Promise<T>): Promise<T> {
  if (counted.has(command.type)) return sent(context, owner, command).then(answer)
  const counts = context.orderCounts[command.type.startsWith('perp.') ? 'futures' : 'spot']
  counts.check(owner.user, owner.class, context.now())
  return sent(context, owner, command).then((outcome) => {
    if (outcome.refusal !== undefined) counts.refused(owner.user, context.now())
    return answer(outcome)
  })
}

/**
 * Counts a command that is refused here, because the exchange would certainly refuse it, as if the exchange had refused it.
 *
 * throws  ApiError -1015 when too many were refused before
 */
export function refusedHere(
  context: Pick<Context, 'orderCounts' | 'now'>,
  owner: ApiUser,
  family: 'spot' | 'futures',
  refusal: ApiError,
): ApiError {
  const counts = context.orderCounts[family]
  const now = context.now()
  counts.check(owner.user, owner.class, now)
  counts.refused(owner.user, now)
  return refusal
}

const same = (outcome: Outcome): Outcome => outcome

/** The same context, but with each command stamped in the journal with the caller's key. */
export function stamped<T extends Sending>(context: T, owner: ApiUser): T {
  let byOwner = stampedContexts.get(context)
  if (!byOwner) stampedContexts.set(context, (byOwner = new WeakMap()))
  const made = byOwner.get(owner)
  if (made) return made as T
  const own: T = { ...context, submit: (command) => submitFor(context, owner, command, same) }
  byOwner.set(owner, own)
  return own
}

const signatureMark = '&signature='

/** The parameter `signature` as it was sent, and the text without it; undefined where there is none. */
function cutSignature(text: string): { readonly signature: string; readonly rest: string } | undefined {
  if (text === '') return undefined
  // The signature is usually last. Two in one text are refused, like every repeated name.
  const last = text.lastIndexOf(signatureMark)
  if (last >= 0 && !text.includes('&', last + 1)) return { signature: text.slice(last + signatureMark.length), rest: text.slice(0, last) }
  const found = /(?:^|&)signature(?:=([^&]*))?(?=&|$)/.exec(text)
  if (!found) return undefined
  const { index } = found
  const end = index + found[0].length
  // At the beginning, the ampersand after it is removed too.
  const rest = found[0].startsWith('&') ? text.slice(0, index) + text.slice(end) : text.slice(end + 1)
  return { signature: found[1] ?? '', rest }
}

/** throws  ApiError -1100 */
function wholeNumber(timestamp: string): number {
  if (!/^[0-9]{1,16}$/.test(timestamp)) throw illegal('timestamp', '^[0-9]{1,16}$')
  return Number(timestamp)
}

/** Numbers and booleans as in JSON; lists and objects as JSON text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function isSent(params: Readonly<Record<string, unknown>>, name: string): boolean {
  if (!Object.hasOwn(params, name)) return false
  const value = params[name]
  return value !== '' && value !== null && value !== undefined
}
