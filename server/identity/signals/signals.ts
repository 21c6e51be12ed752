import type {
  WireNewSignal,
  WireSignalChange,
  WireSignalMade,
  WireSignalState,
  WireSignal,
  WireSignalTerms,
} from '@candor/core/protocol/wire/own/signals.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { type KeyRow, requireMaker } from '../account/key-rows.ts'
import { record } from '../audit.ts'
import { normalIps } from '../key-terms.ts'
import { type KeyHolder, ownerOf, type KeysOptions } from '../keys.ts'
import { hashOf, newToken } from '../secret.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import { wireCall, wireSignal } from './rows.ts'

/** Calls on one page of the log. */
const pageMax = 50
/** Path of every address; the secret stands behind it. */
export const signalRoot = '/hooks/v1/'

export type SignalsOptions = Pick<KeysOptions, 'confirm' | 'tell'> & { readonly db: IdentityDb; readonly clock: Clock }

/** Signal addresses as the owners of the keys manage them. Without one, which is how a key begins, no alert can reach it. */
export class Signals {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #confirm: SignalsOptions['confirm']
  readonly #tell: SignalsOptions['tell']

  constructor({ db, clock, confirm, tell }: SignalsOptions) {
    this.#db = db
    this.#clock = clock
    this.#confirm = confirm
    this.#tell = tell
  }

  /** The address without its secret, and a page of the log. throws  Refused NOT_FOUND */
  async state(id: string, account: string, before?: number): Promise<WireSignalState> {
    const { number } = await this.#key(this.#db, account, id)
    const signal = await this.#db.selectFrom('key_signals').selectAll().where('key', '=', number).executeTakeFirst()
    let calls = this.#db.selectFrom('key_signal_calls').selectAll().where('key', '=', number)
    if (before !== undefined) calls = calls.where('id', '<', before)
    const rows = await calls.orderBy('id', 'desc').limit(pageMax).execute()
    return { ...(signal === undefined ? {} : { signal: wireSignal(signal) }), calls: rows.map(wireCall) }
  }

  /**
   * Makes an address, or a new one in place of the old, which ends at once, and switches it on. Only this answer has the secret.
   *
   * throws  Refused NOT_FOUND, SIGNAL_KEY when the key may not trade, FIRM_RIGHT_MISSING for a key of another member, and the refusals of a
   * new key
   */
  async make(id: string, { terms, password }: WireNewSignal, who: KeyHolder): Promise<WireSignalMade> {
    const values = columnsOf(terms)
    await this.#key(this.#db, who.account, id)
    await this.#confirm(ownerOf(who), password, 'key-widen')
    const secret = newToken()
    const row = await this.#changing(id, who, async (db, key) => {
      // The address ends with its key, and the key with the member who made it. Another member would still know the address after leaving.
      if (key.member !== (who.member?.id ?? null)) throw new Refused('FIRM_RIGHT_MISSING')
      if (!key.scopes.includes('trade')) throw new Refused('SIGNAL_KEY')
      const address = { hash: hashOf(secret), is_on: true, made_at: this.#clock(), ...values }
      return db
        .insertInto('key_signals')
        .values({ key: key.number, account: who.account, ...address })
        .onConflict((found) => found.column('key').doUpdateSet(address))
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    await this.#tell(ownerOf(who).account, who.visitor)
    return { signal: wireSignal(row), path: signalRoot + secret }
  }

  /** Switches the address on or off, or changes its terms. throws  Refused NOT_FOUND, FIELD_MISSING (password) */
  async change(id: string, { isOn, terms, password }: WireSignalChange, who: KeyHolder): Promise<WireSignal> {
    const values = terms === undefined ? {} : columnsOf(terms)
    await this.#key(this.#db, who.account, id)
    const isWider = isOn === true || terms !== undefined
    if (isWider && password === undefined) throw new Refused('FIELD_MISSING', { field: 'password' })
    if (isWider) await this.#confirm(ownerOf(who), password as string, 'key-widen')
    const row = await this.#changing(id, who, async (db, { number }) => {
      const change = { ...values, ...(isOn === undefined ? {} : { is_on: isOn }) }
      const known = db.selectFrom('key_signals').selectAll().where('key', '=', number)
      const changed =
        Object.keys(change).length === 0
          ? await known.executeTakeFirst()
          : await db.updateTable('key_signals').set(change).where('key', '=', number).returningAll().executeTakeFirst()
      if (!changed) throw new Refused('NOT_FOUND')
      return changed
    })
    if (isWider) await this.#tell(ownerOf(who).account, who.visitor)
    return wireSignal(row)
  }

  async #changing<Row extends { readonly is_on: boolean }>(
    id: string,
    who: KeyHolder,
    work: (db: IdentityDb, key: KeyRow) => Promise<Row>,
  ): Promise<Row> {
    return this.#db.transaction().execute(async (db) => {
      await requireMaker(db, who.account, who.member?.id)
      const key = await this.#key(db, who.account, id, true)
      const row = await work(db, key)
      if (who.session !== undefined) await requireLiving(db, who.session)
      const by = who.member === undefined ? {} : { member: who.member.id }
      const detail = {
        number: key.number,
        label: key.label,
        signal: row.is_on ? 'on' : 'off',
        ...(row.is_on ? { isWider: true } : {}),
        ...by,
      }
      await record(db, this.#clock, { account: who.account, action: 'key-changed', visitor: who.visitor, session: who.session, detail })
      return row
    })
  }

  /** throws  Refused NOT_FOUND */
  async #key(db: IdentityDb, account: string, id: string, isLocked = false): Promise<KeyRow> {
    const found = db.selectFrom('api_keys').selectAll().where('account', '=', account).where('id', '=', id).where('deleted_at', 'is', null)
    const row = await (isLocked ? found.forUpdate() : found).executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return row
  }
}

/** throws  Refused FIELD_INVALID for an address that is none */
function columnsOf({ symbols, maxQuote, perMinute, perDay, maxAgeSeconds, ips, template }: WireSignalTerms) {
  return {
    ...{ symbols: [...new Set(symbols)], max_quote: maxQuote, per_minute: perMinute, per_day: perDay, max_age_s: maxAgeSeconds },
    ...{ ips: normalIps(ips), template: template === undefined ? null : JSON.stringify(template) },
  }
}
