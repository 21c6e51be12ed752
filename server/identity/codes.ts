import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../ports.ts'
import { sql } from 'kysely'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'
import { Refused } from '../refused.ts'
import { type Address, countryOf } from './address.ts'
import type { Argon, Turn } from './argon.ts'
import { newCode } from './secret.ts'
import type { IdentityDb } from './tables.ts'

/**
 * `proof`: of a session whose account has no second factor. `bind`: of an address that an account wants to have. `regain`: of an address
 * of an account whose owner has lost the second factors.
 */
export type Purpose = 'register' | 'reset' | 'proof' | 'bind' | 'regain'

const minute = 60_000
const day = 86_400_000
export const codeLivesMs = 10 * minute
export const codeTriesMax = 5
/** Prefix of the guess counts, which are kept for a month. */
export const guessesOf = 'guesses:'
const codesPerDay = 10
/** Codes a day of one purpose to one address for all known devices: whoever earns from a phone number can log in with any number. */
const codesOfDevices = 3 * codesPerDay
/** Codes a day to one address for all accounts that want to have it: more than one account alone can use up. */
const bindsPerTarget = 2 * codesPerDay
export const guessesMs = 30 * day
/**
 * Guesses at reset codes: as many at once, and as many again in 30 days, for strangers and for all known devices of the account
 * together. In any 30 days at most 100 are compared, and neither can use up the other's. Beyond it, only the link works.
 */
const guessesMax = { strangers: 40, devices: 10 } as const
/** When an address has used up its codes of the day, one link alone may be sent in this time. It lives as long. */
export const linkEveryMs = 60 * minute

/** `code`: undefined when only a link may be sent. `resendAfterMs`: until another may be requested. */
export type Issued = { readonly code: string | undefined; readonly resendAfterMs: number }

/** Most codes within a day of the first: to one network, and for one purpose to phones of one country and to all phones. */
export type CodeCaps = { readonly perIp: number; readonly perCountry: number; readonly allPhones: number }

/**
 * The visitor who requests or enters a code. A device that the account's owner has used before has its own codes and counts,
 * which no stranger can use up or replace. `ip` undefined: not counted. `binder`: the account that wants to have the address; it has
 * codes and counts of its own, so that no other account can use them up.
 */
export type CodeAsker = {
  readonly device?: string | undefined
  readonly ip?: string | undefined
  readonly binder?: string
  /** The turn in which the code is hashed. Default: that of strangers without a network. */
  readonly turn?: Turn
}

/**
 * Codes are bound to purpose and address, live ten minutes, allow five tries and work once. They are hashed like passwords:
 * with a fast hash, six digits could be recovered from a database copy in a second.
 */
export class Codes {
  readonly #db: IdentityDb
  readonly #argon: Argon
  readonly #clock: Clock
  readonly #caps: CodeCaps

  constructor(db: IdentityDb, argon: Argon, clock: Clock, caps: CodeCaps) {
    this.#db = db
    this.#argon = argon
    this.#clock = clock
    this.#caps = caps
  }

  /**
   * Creates a code that replaces the previous one. With `isUsable` false everything takes the same steps, but no code matches.
   * Strangers who use up the codes or the guesses of an address leave its owner a link without a code.
   *
   * throws  Refused CODE_TOO_SOON within a minute, TOO_MANY_TRIES when the day's number is used up
   */
  async issue(purpose: Purpose, address: Address, isUsable: boolean, { device, ip, binder, turn }: CodeAsker): Promise<Issued> {
    const { channel, value: target } = address
    const row = rowOf(purpose, device ?? binder)
    if ((await this.#count(this.#db, row, address, ip, false)) === 'link') return this.#issueLink(address, ip)
    const isGuessable = purpose !== 'reset' || (await this.#hasGuess(device, address))
    const code = newCode()
    const sentAt = this.#clock()
    const tag = await this.#argon.tag(code, nonceOf(row, address, sentAt), turn).catch((error: unknown) => {
      if (row !== 'reset' || !(error instanceof Refused)) throw error
    })
    // Strangers fill the hashing queue. A link needs no hashing.
    if (tag === undefined) return this.#issueLink(address, ip)
    const hash = isUsable ? tag : randomBytes(32)
    await this.#db.transaction().execute(async (db) => {
      await this.#count(db, row, address, ip, true)
      const fresh = { hash, tries: 0, sent_at: sentAt, expires_at: sentAt + codeLivesMs, used_at: null }
      await db
        .insertInto('codes')
        .values({ channel, target, purpose: row, ...fresh })
        .onConflict((conflict) => conflict.columns(['channel', 'target', 'purpose']).doUpdateSet(fresh))
        .execute()
    })
    return { code: isGuessable ? code : undefined, resendAfterMs: minute }
  }

  async #issueLink(address: Address, ip: string | undefined): Promise<Issued> {
    await this.#db.transaction().execute((db) => this.#count(db, 'reset', address, ip, true, true))
    return { code: undefined, resendAfterMs: linkEveryMs }
  }

  /**
   * Uses up the code. The try is counted before the code is compared, so of any number of parallel guesses only five are
   * compared.
   *
   * throws  Refused CODE_WRONG, CODE_EXPIRED, TOO_MANY_TRIES or CODE_LINK_ONLY
   */
  async redeem(asked: Purpose, address: Address, code: string, { device, binder, turn }: CodeAsker = {}): Promise<void> {
    const now = this.#clock()
    const { channel, value: target } = address
    const purpose = binder === undefined ? await this.#rowFor(asked, address, device, now) : rowOf(asked, binder)
    const living = this.#db
      .updateTable('codes')
      .where('channel', '=', channel)
      .where('target', '=', target)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
    const taken = await living
      .where('tries', '<', codeTriesMax)
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .returning(['hash', 'sent_at'])
      .executeTakeFirst()
    if (!taken) throw await this.#whyNone(purpose, address, now)
    const guesses = binder === undefined ? guessesAt(asked, device, address) : guessesOfBinder(asked, binder)
    if (asked !== 'register' && !(await takeGuess(this.#db, guesses, now))) throw noneLeft(asked, guesses)
    const tag = await this.#argon.tag(code, nonceOf(purpose, address, taken.sent_at), turn)
    if (!timingSafeEqual(tag, taken.hash)) throw new Refused('CODE_WRONG', { field: 'code' })
    const used = await living.where('sent_at', '=', taken.sent_at).set({ used_at: now }).returning('target').executeTakeFirst()
    if (!used) throw new Refused('CODE_EXPIRED', { field: 'code' })
    // Owners prove themselves often; who resets a password does not.
    if (asked === 'proof') await this.#db.deleteFrom('code_counts').where('subject', '=', guesses.subject).execute()
  }

  /** The code in question: a known device's own while it is valid, otherwise the one that anybody may have requested. */
  async #rowFor(purpose: Purpose, { channel, value }: Address, device: string | undefined, now: number): Promise<string> {
    if (device === undefined) return purpose
    const own = await this.#db
      .selectFrom('codes')
      .select('target')
      .where('channel', '=', channel)
      .where('target', '=', value)
      .where('purpose', '=', rowOf(purpose, device))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return own ? rowOf(purpose, device) : purpose
  }

  async #hasGuess(device: string | undefined, address: Address): Promise<boolean> {
    const { subject, max } = guessesAt('reset', device, address)
    const { used } = spentOf(max, this.#clock())
    const { rows } = await sql`select 1 from code_counts as t where subject = ${subject} and ${used} >= ${max}`.execute(this.#db)
    return rows.length === 0
  }

  async #whyNone(purpose: string, { channel, value }: Address, now: number): Promise<Refused> {
    const row = await this.#db
      .selectFrom('codes')
      .select(['tries', 'sent_at', 'expires_at', 'used_at'])
      .where('channel', '=', channel)
      .where('target', '=', value)
      .where('purpose', '=', purpose)
      .executeTakeFirst()
    if (!row || row.used_at !== null || row.expires_at <= now || row.tries < codeTriesMax)
      return new Refused('CODE_EXPIRED', { field: 'code' })
    return new Refused('TOO_MANY_TRIES', { field: 'code', retryAfter: waitUntil(row.sent_at + minute, minute, purpose, now) })
  }

  /**
   * Counts a code, or a link alone when strangers have used up the address's codes of the day. All transactions lock the rows of
   * `code_counts` in the same order: one device, account or address, link, then the address for all of these, exchange, country, networks.
   */
  async #count(
    db: IdentityDb,
    purpose: string,
    { channel, value }: Address,
    ip: string | undefined,
    isSent: boolean,
    isLink = false,
  ): Promise<'code' | 'link'> {
    const now = this.#clock()
    let counted: 'code' | 'link' = 'code'
    // An account that binds addresses has one count for all of them: otherwise it could send codes to any number of people.
    const isBinding = kindOf(purpose) === 'bind'
    const subjects = [{ subject: isBinding ? purpose : `${purpose}:${channel}:${value}`, max: codesPerDay }]
    if (isBinding) subjects.push({ subject: `bind-to:${channel}:${value}`, max: bindsPerTarget })
    else if (isOfOne(purpose)) subjects.push({ subject: `devices:${kindOf(purpose)}:${channel}:${value}`, max: codesOfDevices })
    const isShared = isBinding || !isOfOne(purpose)
    if (channel === 'phone' && isShared) {
      subjects.push({ subject: `all-phones:${kindOf(purpose)}`, max: this.#caps.allPhones })
      subjects.push({ subject: `phones:${countryOf(value)}:${kindOf(purpose)}`, max: this.#caps.perCountry })
    }
    if (ip !== undefined && isShared) {
      subjects.push({ subject: `ip:${wideNetworkOf(ip)}`, max: this.#caps.perIp * wideTimes })
      subjects.push({ subject: `ip:${networkOf(ip)}`, max: this.#caps.perIp })
    }
    for (const [index, { subject, max }] of subjects.entries()) {
      const { since, sent } = isSent ? await lockCount(db, subject, now) : await readCount(db, subject, now)
      if (index === 0) await this.#checkMinute(db, purpose, { channel, value }, now)
      const isOver = now - since >= day
      if (index === 0 && purpose === 'reset' && (isLink || (!isOver && sent >= max))) {
        await this.#countLink(db, { channel, value }, now, isSent)
        counted = 'link'
        continue
      }
      // Only the first count can be of one device or account: all others are everybody's.
      const whose = index === 0 ? purpose : kindOf(purpose)
      if (!isOver && sent >= max) throw new Refused('TOO_MANY_TRIES', { retryAfter: waitUntil(since + day, day, whose, now) })
      if (isSent) {
        const row = isOver ? { since: now, sent: 1 } : { since, sent: sent + 1 }
        await db.updateTable('code_counts').set(row).where('subject', '=', subject).execute()
      }
    }
    return counted
  }

  /** throws  Refused TOO_MANY_TRIES, always with the whole hour to wait, unless the last link is an hour old */
  async #countLink(db: IdentityDb, { channel, value }: Address, now: number, isSent: boolean): Promise<void> {
    const subject = `link:${channel}:${value}`
    const { since, sent } = isSent ? await lockCount(db, subject, now) : await readCount(db, subject, now)
    if (sent > 0 && now - since < linkEveryMs) throw new Refused('TOO_MANY_TRIES', { retryAfter: linkEveryMs / 1_000 })
    if (isSent) await db.updateTable('code_counts').set({ since: now, sent: 1 }).where('subject', '=', subject).execute()
  }

  async #checkMinute(db: IdentityDb, purpose: string, { channel, value }: Address, now: number): Promise<void> {
    const row = await db
      .selectFrom('codes')
      .select('sent_at')
      .where('channel', '=', channel)
      .where('target', '=', value)
      .where('purpose', '=', purpose)
      .executeTakeFirst()
    if (row && now - row.sent_at < minute)
      throw new Refused('CODE_TOO_SOON', { retryAfter: waitUntil(row.sent_at + minute, minute, purpose, now) })
  }
}

/** Guesses of one kind: `max` at once, and as many again evenly over 30 days. */
export type Guesses = { readonly subject: string; readonly max: number }

/** The guesses at an address's codes, of strangers or of the account's known devices. */
function guessesAt(purpose: Purpose, device: string | undefined, { channel, value }: Address): Guesses {
  const max = device === undefined ? guessesMax.strangers : guessesMax.devices
  return { subject: `${guessesOf}${purpose}${device === undefined ? '' : '#devices'}:${channel}:${value}`, max }
}

/** The guesses of an account at the codes of all addresses that it wants to have, or must prove. */
function guessesOfBinder(purpose: Purpose, binder: string): Guesses {
  return { subject: `${guessesOf}${purpose}:${binder}`, max: guessesMax.strangers }
}

/** A reset has its link; a proof has to wait for the next guess. */
function noneLeft(purpose: Purpose, { max }: Guesses): Refused {
  if (purpose === 'reset') return new Refused('CODE_LINK_ONLY', { field: 'code' })
  return new Refused('TOO_MANY_TRIES', { field: 'code', retryAfter: guessesMs / max / 1_000 })
}

/** Of a row `t` of `code_counts`: the guesses that still count, and the time from which they are forgiven, one after the other. */
function spentOf(max: number, now: number) {
  const everyMs = guessesMs / max
  const forgiven = sql`greatest(0, (${now} - t.since) / ${everyMs})`
  const used = sql`greatest(0, t.sent - ${forgiven})`
  return { used, since: sql`case when ${used} = 0 then ${now} else t.since + ${forgiven} * ${everyMs} end` }
}

/** Counts a guess in one statement, so that parallel guesses find no gap. Returns false when none is left. */
export async function takeGuess(db: IdentityDb, { subject, max }: Guesses, now: number): Promise<boolean> {
  const { used, since } = spentOf(max, now)
  const { rows } = await sql`
    insert into code_counts as t (subject, since, sent) values (${subject}, ${now}, 1)
    on conflict (subject) do update set sent = ${used} + 1, since = ${since}
    where ${used} < ${max}
    returning sent`.execute(db)
  return rows.length > 0
}

/** A known device's request has its own row beside the row for all others, and so has an account that binds. Registration knows neither. */
function rowOf(purpose: Purpose, one: string | undefined): string {
  return one === undefined ? purpose : `${purpose}#${one}`
}

/** Whether only one device or account can use this row. */
const isOfOne = (row: string): boolean => row.includes('#')

const kindOf = (row: string): string => row.split('#', 1)[0]!

/**
 * Seconds until `at` for a row of one device or account. For the row that anybody can use, always the whole span: the exact time would
 * tell a stranger when to come before the owner.
 */
function waitUntil(at: number, span: number, row: string, now: number): number {
  return isOfOne(row) ? secondsUntil(at, now) : span / 1000
}

export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000))
}

async function lockCount(db: IdentityDb, subject: string, now: number): Promise<{ since: number; sent: number }> {
  return db
    .insertInto('code_counts')
    .values({ subject, since: now, sent: 0 })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returning(['since', 'sent'])
    .executeTakeFirstOrThrow()
}

async function readCount(db: IdentityDb, subject: string, now: number): Promise<{ since: number; sent: number }> {
  const row = await db.selectFrom('code_counts').select(['since', 'sent']).where('subject', '=', subject).executeTakeFirst()
  return row ?? { since: now, sent: 0 }
}

/** Binds the hash to the code's row: moved to another row it matches nothing. */
function nonceOf(purpose: string, { channel, value }: Address, sentAt: number): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([purpose, channel, value, sentAt]))
    .digest()
    .subarray(0, 16)
}
