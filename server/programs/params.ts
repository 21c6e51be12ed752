import { ApiError, empty, illegal, invalid, missing, repeated, unread } from './errors.ts'

/** Parameters by name as they were sent, percent-decoded. */
export type Sent = Pick<ReadonlyMap<string, string>, 'get' | 'has' | 'size'>

/** Allowed values in the terms of JSON Schema. `items`: of a list sent as JSON text. */
export type ParamShape = {
  readonly type: 'string' | 'integer' | 'array'
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Readonly<Record<string, unknown>>
}

/** How one parameter is parsed. `read` throws an ApiError. */
export type Param<T> = {
  readonly isMandatory: boolean
  readonly read: (text: string, name: string) => T
  readonly fallback: T | undefined
  /** For the published description only; not used for parsing. */
  readonly shape?: ParamShape | undefined
}

export type Params = Readonly<Record<string, Param<unknown>>>
export type Values<P extends Params> = { readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never }

const sentMax = 64
const namePattern = /^[A-Za-z0-9_]{1,64}$/

/** Names already checked: there are only a few. */
const plainNames = new Set<string>()
const plainNamesMax = 1_000

/** throws  ApiError -1100 */
export function checkName(name: string): void {
  if (plainNames.has(name)) return
  if (!namePattern.test(name)) throw illegal('name of a parameter', namePattern.source)
  if (plainNames.size < plainNamesMax) plainNames.add(name)
}

/** Parameters that official clients send with every request, signed or not. */
const tolerated = ['timestamp', 'recvWindow', 'signature'] as const

/**
 * Parameters of a query and a form. The query has precedence when a name is in both; a name twice in one of them is refused.
 *
 * throws  ApiError -1100, -1101
 */
export function sentOf(query: string, form: string): ReadonlyMap<string, string> {
  const sent = pairsOf(query)
  for (const [name, text] of pairsOf(form)) if (!sent.has(name)) sent.set(name, text)
  return sent
}

function pairsOf(encoded: string): Map<string, string> {
  const pairs = new Map<string, string>()
  if (encoded === '') return pairs
  const isPlain = !/[%+\0]/.test(encoded)
  const parts = encoded.split('&', sentMax + 1)
  if (parts.length > sentMax) throw new ApiError(-1101, `Too many parameters; expected at most '${sentMax}'.`)
  for (const part of parts) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    checkName(name)
    if (pairs.has(name)) throw repeated(name)
    const text = at < 0 ? '' : part.slice(at + 1)
    pairs.set(name, isPlain ? text : decode(text, name))
  }
  return pairs
}

function decode(text: string, name: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\0')) return decoded
  } catch {
    // The percent signs or the UTF-8 are broken.
  }
  throw illegal(name, 'UTF-8, percent-encoded')
}

/** Values that parsing takes from a declaration, computed once because every request uses them. */
type Reader = {
  readonly mandatory: readonly string[]
  /** The tolerated names that are not in the declaration. */
  readonly tolerated: readonly string[]
  readonly entries: readonly (readonly [string, Param<unknown>])[]
  readonly fallbacks: Readonly<Record<string, unknown>>
}

const readers = new WeakMap<Params, Reader>()

function readerOf(params: Params): Reader {
  const known = readers.get(params)
  if (known) return known
  const entries = Object.entries(params)
  const reader = {
    mandatory: entries.filter(([, { isMandatory }]) => isMandatory).map(([name]) => name),
    tolerated: tolerated.filter((name) => !Object.hasOwn(params, name)),
    entries,
    fallbacks: Object.fromEntries(entries.map(([name, { fallback }]) => [name, fallback])),
  }
  readers.set(params, reader)
  return reader
}

/**
 * Values of the parameters that a path declares.
 *
 * isStrict  unknown parameters are refused; the paths of contracts ignore them, as their clients expect
 *
 * throws    ApiError: first for missing mandatory parameters, then for each in declared order, then for unknown ones
 */
export function valuesOf<P extends Params>(params: P, sent: Sent, isStrict: boolean): Values<P> {
  const { mandatory: needed, tolerated: unasked, entries, fallbacks } = readerOf(params)
  for (const name of needed) if (!sent.get(name)) throw missing(name)
  const values: Record<string, unknown> = { ...fallbacks }
  let read = 0
  for (const [name, param] of entries) {
    const text = sent.get(name)
    if (text === undefined) continue
    if (text === '') throw empty(name)
    values[name] = param.read(text, name)
    read++
  }
  if (isStrict) {
    for (const name of unasked) if (sent.has(name)) read++
    if (read < sent.size) throw unread(read, sent.size)
  }
  return values as Values<P>
}

export function mandatory<T>({ read, shape }: Param<T | undefined>): Param<T> {
  return { isMandatory: true, read: read as Param<T>['read'], fallback: undefined, shape }
}

export function withDefault<T>({ read, shape }: Param<T | undefined>, fallback: T): Param<T> {
  return { isMandatory: false, read: read as Param<T>['read'], fallback, shape }
}

/** Gives `undefined` when the parameter is not sent. */
function optional<T>(shape: ParamShape, read: (text: string, name: string) => T): Param<T | undefined> {
  return { isMandatory: false, read, fallback: undefined, shape }
}

export function text(pattern: RegExp): Param<string | undefined> {
  return optional({ type: 'string', pattern: pattern.source }, (sent, name) => {
    if (!pattern.test(sent)) throw illegal(name, pattern.source)
    return sent
  })
}

export const symbolPattern = /^[A-Z0-9-_.]{1,20}$/
export const symbol = text(symbolPattern)

const digits = /^[0-9]{1,20}$/

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): Param<number | undefined> {
  return optional({ type: 'integer', minimum: min, maximum: max }, (sent, name) => {
    if (!digits.test(sent)) throw illegal(name, digits.source)
    const value = Number(sent)
    if (value < min || value > max) throw invalid(name)
    return value
  })
}

export const id = integer(0, Number.MAX_SAFE_INTEGER)
export const millis = integer(0, 8_640_000_000_000_000)

/** Number of items; a larger number is reduced to the maximum. */
export function limit(fallback: number, max: number): Param<number> {
  const { read } = integer(1, Number.MAX_SAFE_INTEGER)
  const shape = { type: 'integer', minimum: 1, maximum: max } as const
  return { isMandatory: false, read: (sent, name) => Math.min(read(sent, name) as number, max), fallback, shape }
}

export function word<const W extends string>(words: readonly W[]): Param<W | undefined> {
  return optional({ type: 'string', enum: words }, (sent, name) => {
    if (!(words as readonly string[]).includes(sent)) throw invalid(name)
    return sent as W
  })
}

const listMax = 100
const listShape = { type: 'array', items: { type: 'string', pattern: symbolPattern.source } } as const

/** Names as JSON text: `["BTCUSDT","ETHUSDT"]`, without repeats. */
export const symbols: Param<readonly string[] | undefined> = optional(listShape, (sent, name) => {
  let list: unknown
  try {
    list = JSON.parse(sent)
  } catch {
    throw illegal(name, '["NAME","NAME"]')
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > listMax) throw invalid(name)
  for (const one of list) if (typeof one !== 'string' || !symbolPattern.test(one)) throw illegal(name, '["NAME","NAME"]')
  if (new Set(list).size !== list.length) throw repeated(name)
  return list as string[]
})
