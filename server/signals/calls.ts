import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type SignalRow, wireSignal } from '../identity/signals/rows.ts'
import type { SignalEnd, WireSignal } from '@candor/core/protocol/wire/own/signals.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { hashOf } from '../identity/secret.ts'
import type { IdentityDb } from '../identity/tables.ts'
import { Refused } from '../refused.ts'
import { addNotice } from '../store/notices.ts'
import { alertMax } from './alert.ts'
import { Lanes } from './lanes.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** An alert without id and time is a repeat of the same text within this time. */
const repeatMs = 30_000
/** Calls that the log of a key has. */
export const logMax = 1_000
/** Ends after which nobody knows whether there is an order. A repeat asks the exchange again, by the same client id. */
const open: readonly SignalEnd[] = ['sent', 'STATUS_UNKNOWN', 'UNAVAILABLE']

/** An address that is on. `apiKey`: the key with whose rights it acts; `account`: its owner's. */
export type SignalAddress = WireSignal & {
  readonly key: number
  readonly apiKey: string
  readonly account: string
  readonly hash: Buffer
}

/** A call of an address. `symbol`: where the alert could be read. */
export type SignalCall = { readonly at: number; readonly ip: string; readonly text: string; readonly symbol?: string }

/** `isLasting`: the alert names itself by an id or a time, so it never comes twice with the same one. */
export type Identity = { readonly name: string; readonly isLasting: boolean }

/**
 * What is to be done with a call: an order with this client id; nothing, because it was placed before; or another look at it by the terms
 * that the address has meanwhile.
 */
export type Admitted = { readonly id: number; readonly clientId: string } | 'repeat' | { readonly changed: SignalAddress }

/** Calls of signal addresses: found by the hash of their secret, counted, told apart from repeats, and logged. */
export class SignalCalls {
  readonly #db: IdentityDb
  /** By account. Calls that wait for a row would each keep a connection to the database from everybody else. */
  readonly #lanes = new Lanes()

  constructor(db: IdentityDb) {
    this.#db = db
  }

  /** Undefined for an unknown secret, an address that is off, and one whose key was deleted. */
  async find(secret: string): Promise<SignalAddress | undefined> {
    const row = await this.#db
      .selectFrom('key_signals')
      .innerJoin('api_keys', 'api_keys.number', 'key_signals.key')
      .selectAll('key_signals')
      .select('api_keys.key as api_key')
      .where('hash', '=', hashOf(secret))
      .where('is_on', '=', true)
      .where('api_keys.deleted_at', 'is', null)
      .executeTakeFirst()
    return row && { ...wireSignal(row), key: row.key, apiKey: row.api_key, account: row.account, hash: row.hash }
  }

  /** Accounts of all addresses that are on, by the hashes of their secrets in hexadecimal digits. */
  async addressesOn(): Promise<Map<string, string>> {
    const rows = await this.#db.selectFrom('key_signals').select(['hash', 'account']).where('is_on', '=', true).execute()
    return new Map(rows.map(({ hash, account }) => [hash.toString('hex'), account]))
  }

  /**
   * Counts a call against the limits of its address and logs it. Calls of one address wait for each other here, so two can't share the
   * last place of a day, nor can two repeats both be the first. The text of a call can take seconds to arrive, and the owner may have
   * narrowed the terms by then.
   *
   * throws  Refused NOT_FOUND when the address has changed, SIGNAL_KEY, SIGNAL_LIMIT
   */
  admit(address: SignalAddress, call: SignalCall, identity: Identity): Promise<Admitted> {
    return this.#lanes.run(address.account, () => this.#admit(address, call, identity))
  }

  #admit(address: SignalAddress, call: SignalCall, { name, isLasting }: Identity): Promise<Admitted> {
    const { key, hash } = address
    const identity = hashOf(name)
    return this.#db.transaction().execute(async (db) => {
      // The key comes first, as when its owner changes it or the address: nobody waits in a circle.
      const mayTrade = await isTrader(db, key, call.at)
      const own = await db.selectFrom('key_signals').selectAll().where('key', '=', key).forUpdate().executeTakeFirst()
      if (!own?.is_on || !own.hash.equals(hash)) throw new Refused('NOT_FOUND')
      if (!mayTrade) throw new Refused('SIGNAL_KEY')
      const changed = changedBy(address, wireSignal(own))
      if (changed) return { changed }
      const earlier = await earlierOf(db, key, call.at, { name, isLasting })
      if (earlier) await add(db, key, call, 'repeat')
      if (earlier) return open.includes(earlier.result) ? { id: earlier.id, clientId: earlier.client_id as string } : 'repeat'
      await count(db, own, call.at)
      const clientId = clientIdOf(key, isLasting ? name : `${name} ${call.at}`)
      return { id: await add(db, key, call, 'sent', { identity, client_id: clientId }), clientId }
    })
  }

  /**
   * Logs a call that places nothing: a refused one, or one that has nothing to close. Returns false for a refused one, unless its alert was
   * placed before: what an alert meets when it comes again, a closed position or another price, is no news about it.
   *
   * identity  undefined where the text could not be read
   */
  unplaced({ account, key, hash }: SignalAddress, call: SignalCall, end: Refusal | 'flat', identity?: Identity): Promise<boolean> {
    const noted = (): Promise<boolean> =>
      this.#db.transaction().execute(async (db) => {
        const own = db.selectFrom('key_signals').select('key').where('key', '=', key).where('hash', '=', hash).where('is_on', '=', true)
        if (!(await own.forUpdate().executeTakeFirst())) return false
        const earlier = identity && (await earlierOf(db, key, call.at, identity))
        const isRepeat = earlier !== undefined && !open.includes(earlier.result)
        const named = end === 'flat' && identity && !isRepeat ? { identity: hashOf(identity.name) } : {}
        await add(db, key, call, isRepeat ? 'repeat' : end, named)
        if (isRepeat || end === 'flat') return true
        await tell(db, key, call.at)
        return false
      })
    return this.#lanes.run(account, noted)
  }

  /** Notes the end of an admitted call. An order that is known to be placed stays so, whatever a repeat was told. */
  async ended(id: number, end: SignalEnd, order?: number): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const row = db.updateTable('key_signal_calls').where('id', '=', id).where('result', '!=', 'placed')
      const result = { result: end, ...(order === undefined ? {} : { order_id: order }) }
      const changed = await row.set(result).returning(['key', 'at']).executeTakeFirst()
      if (changed && end !== 'placed' && end !== 'flat' && !open.includes(end)) await tell(db, changed.key, changed.at)
    })
  }
}

/** The address with the terms that it has now; undefined when they are the same. */
function changedBy(address: SignalAddress, now: WireSignal): SignalAddress | undefined {
  const { template: _template, ...rest } = address
  const changed = { ...rest, ...now }
  return isDeepStrictEqual(changed, address) ? undefined : changed
}

/** The call by which an alert came before and was taken, or may have been. */
async function earlierOf(db: IdentityDb, key: number, at: number, { name, isLasting }: Identity) {
  let known = db.selectFrom('key_signal_calls').select(['id', 'result', 'client_id']).where('key', '=', key)
  // A text without id and time may have found nothing to close, and a position was opened since: then it closes that.
  known = known.where('identity', '=', hashOf(name)).where('result', 'in', isLasting ? ['placed', 'flat', ...open] : ['placed', ...open])
  if (!isLasting) known = known.where('at', '>', at - repeatMs)
  return known.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** Tells the owner of a key about a refused call: once a UTC day, because a service can send the same alert every minute. */
async function tell(db: IdentityDb, key: number, at: number): Promise<void> {
  const { account, label } = await db
    .selectFrom('api_keys')
    .select(['account', 'label'])
    .where('number', '=', key)
    .executeTakeFirstOrThrow()
  await addNotice(db, { account, kind: 'signal-refused', values: { label }, event: `signal-${key}-${Math.floor(at / dayMs)}`, at })
}

/** Whether the key may trade, by its terms in the transaction: it may have been narrowed meanwhile. */
async function isTrader(db: IdentityDb, key: number, now: number): Promise<boolean> {
  const terms = db.selectFrom('api_keys').select(['scopes', 'expires_at', 'deleted_at']).where('number', '=', key)
  const { scopes, expires_at: expiresAt, deleted_at: deletedAt } = await terms.forShare().executeTakeFirstOrThrow()
  return deletedAt === null && (expiresAt === null || expiresAt > now) && scopes.includes('trade')
}

/** Counts an order in the running minute and UTC day. throws  Refused SIGNAL_LIMIT */
async function count(db: IdentityDb, own: SignalRow, at: number): Promise<void> {
  const [minute, day] = [Math.floor(at / minuteMs), Math.floor(at / dayMs)]
  // A clock that was set back starts no window again.
  const inMinute = minute > own.minute ? 0 : own.minute_count
  const inDay = day > own.day ? 0 : own.day_count
  if (inMinute >= own.per_minute || inDay >= own.per_day) throw new Refused('SIGNAL_LIMIT')
  const windows = { minute: Math.max(minute, own.minute), day: Math.max(day, own.day) }
  await db
    .updateTable('key_signals')
    .set({ ...windows, minute_count: inMinute + 1, day_count: inDay + 1 })
    .where('key', '=', own.key)
    .execute()
}

type More = { readonly identity?: Buffer; readonly client_id?: string }

/** Adds a line to the log and lets go of the oldest ones. Returns its number. */
async function add(db: IdentityDb, key: number, { at, ip, text, symbol }: SignalCall, result: SignalEnd, more?: More): Promise<number> {
  const call = { key, at, ip, text: storable(text), result, ...(symbol === undefined ? {} : { symbol }), ...more }
  const { id } = await db.insertInto('key_signal_calls').values(call).returning('id').executeTakeFirstOrThrow()
  const oldest = db.selectFrom('key_signal_calls').select('id').where('key', '=', key).orderBy('id', 'desc').offset(logMax).limit(1)
  await db.deleteFrom('key_signal_calls').where('key', '=', key).where('id', '<=', oldest).execute()
  return id
}

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed().slice(0, alertMax)
}

function clientIdOf(key: number, name: string): string {
  return `s-${createHash('sha256').update(`signal ${key} ${name}`).digest('hex').slice(0, 32)}`
}
