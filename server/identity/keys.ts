import { randomUUID } from 'node:crypto'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { KeyKind, KeyScope, WireKey, WireKeyChange, WireKeyMade, WireKeys, WireNewKey } from '@candor/core/protocol/wire/keys.ts'
import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { type Action, type Entry, record } from './audit.ts'
import { secondsUntil } from './codes.ts'
import type { Visitor } from './device.ts'
import {
  ipsMax,
  isWider,
  type KeyPolicy,
  keysMax,
  keysPerDay,
  type KeyTerms,
  publicKeyOf,
  type PublicKey,
  normalTerms,
} from './key-terms.ts'
import {
  endKeys,
  forgetSignals,
  isKept,
  type KeyRow as Row,
  keysOfPerson,
  requireMaker,
  restOfMaker,
  termsOf,
  wireKey,
} from './account/key-rows.ts'
import { type Seal, SealFault } from './seal.ts'
import { newApiKey } from './secret.ts'
import { requireLiving } from './sessions.ts'
import type { IdentityDb } from './tables.ts'

const day = 86_400_000
type Checked = { readonly label: string; readonly publicKey: PublicKey | null; readonly terms: KeyTerms }

/**
 * The login that changes a key; the command line has no session. `member`: of a firm, who does it for the firm's account by their own
 * password and factor. `account` is theirs.
 */
export type KeyHolder = {
  readonly account: string
  readonly session?: string
  readonly visitor: Visitor
  readonly member?: { readonly id: string; readonly account: string } | undefined
}

/** A key at work, by its number, and the permission that the work needs. */
export type KeyUse = { readonly account: string; readonly number: number; readonly scope: KeyScope; readonly ip: string }

/** Everything that a gateway needs to verify a request. */
export type KeyRecord = {
  /** The number that the journal stores with each command. */
  readonly number: number
  readonly key: string
  readonly kind: KeyKind
  /** The secret of an HMAC key, or the PEM of a public key. */
  readonly material: string
  readonly scopes: readonly KeyScope[]
  readonly ips: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly account: string
  readonly user: number
  readonly uid: string
  readonly class: UserClass
  /** Of a firm: end of the last pause of the member who made the key, also of one that is over. Otherwise 0. */
  readonly restUntil: number
}

export type KeysOptions = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly policy: KeyPolicy
  readonly seal: Seal
  /** throws  Refused when this is not the password of the account, or when the session must prove itself first */
  readonly confirm: (who: KeyHolder, password: string, change: 'key-create' | 'key-widen') => Promise<void>
  /** Tells the owner that a key was created, or may do more than before. */
  readonly tell: (account: string, visitor: Visitor) => Promise<void>
  readonly onFault: (cause: unknown) => void
}

/** API keys of programs. A key acts for its owner, within its terms. */
export class Keys {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #policy: KeyPolicy
  readonly #seal: Seal
  readonly #confirm: KeysOptions['confirm']
  readonly #tell: KeysOptions['tell']
  readonly #onFault: KeysOptions['onFault']
  readonly #listeners = new Set<(key: string) => void>()

  constructor({ db, clock, policy, seal, confirm, tell, onFault }: KeysOptions) {
    this.#db = db
    this.#clock = clock
    this.#policy = policy
    this.#seal = seal
    this.#confirm = confirm
    this.#tell = tell
    this.#onFault = onFault
  }

  async list(account: string): Promise<WireKeys> {
    const rows = await this.#living(account)
      .select(sql<string | null>`(select label from firm_members where id = api_keys.member)`.as('made_by'))
      .orderBy('number')
      .execute()
    const { needsIps, expiryMaxMs } = this.#policy
    return {
      keys: rows.map((row) => wireKey(row, row.made_by)),
      keysMax,
      ipsMax,
      needsIps,
      ...(expiryMaxMs === undefined ? {} : { expiryMaxMs }),
    }
  }

  /**
   * Creates a key. Only this answer contains its secret.
   *
   * throws  Refused; CREDENTIALS_WRONG when the password is not the owner's
   */
  async create({ password, ...form }: WireNewKey, who: KeyHolder): Promise<WireKeyMade> {
    const checked = this.#check(form)
    refuseWithdrawals(checked.terms, who)
    await this.#refuseMore(this.#db, who.account)
    await this.#confirm(ownerOf(who), password, 'key-create')
    const made = await this.#insert(checked, who)
    await this.#tell(ownerOf(who).account, who.visitor)
    return made
  }

  /** Creates a key without a password: for the command line; never reachable from outside. */
  async grant(form: Omit<WireNewKey, 'password'>, who: KeyHolder): Promise<WireKeyMade> {
    return this.#insert(this.#check(form), who)
  }

  /**
   * Changes a key. Widening it needs the password; narrowing it does not.
   *
   * throws  Refused NOT_FOUND, FIELD_MISSING (password), or the refusal of the terms
   */
  async change(id: string, form: WireKeyChange, who: KeyHolder): Promise<WireKey> {
    const known = await this.#living(who.account).where('id', '=', id).executeTakeFirst()
    if (!known) throw new Refused('NOT_FOUND')
    refuseWithdrawals(this.#changed(known, form), who)
    const isWidening = isWider(termsOf(known), this.#changed(known, form))
    if (isWidening && form.password === undefined) throw new Refused('FIELD_MISSING', { field: 'password' })
    if (isWidening) await this.#confirm(ownerOf(who), form.password as string, 'key-widen')

    const after = await this.#db.transaction().execute(async (db) => {
      await requireMaker(db, who.account, who.member?.id)
      const before = await this.#living(who.account, db).where('id', '=', id).forUpdate().executeTakeFirst()
      if (!before) throw new Refused('NOT_FOUND')
      const terms = this.#changed(before, form)
      // A parallel request narrowed the key, so this change widens it after all.
      if (!isWidening && isWider(termsOf(before), terms)) throw new Refused('FIELD_MISSING', { field: 'password' })
      const row = await db
        .updateTable('api_keys')
        .set({ label: form.label?.trim() ?? before.label, scopes: terms.scopes, ips: terms.ips, expires_at: terms.expiresAt })
        .where('number', '=', before.number)
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#record(db, 'key-changed', row, who, isWidening ? { isWider: true } : {})
      return row
    })
    this.#announce(after.key)
    if (isWidening) await this.#tell(ownerOf(who).account, who.visitor)
    return wireKey(after)
  }

  /** Deletes a key: it stops working. Its row stays without the secret, because the journal names it. */
  async delete(id: string, who: KeyHolder): Promise<void> {
    const deleted = await this.#db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('api_keys')
        .set({ deleted_at: this.#clock(), secret: null })
        .where('account', '=', who.account)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new Refused('NOT_FOUND')
      await forgetSignals(db, [row.number])
      await this.#record(db, 'key-deleted', row, who)
      return row
    })
    this.#announce(deleted.key)
  }

  /** The key with its owner; undefined when it is unknown, deleted, encrypted with a lost server key, its owner’s account is frozen, or it is not kept. */
  async find(key: string): Promise<KeyRecord | undefined> {
    const row = await this.#db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account')
      .selectAll('api_keys')
      .select(['accounts.core_user', 'accounts.uid', 'accounts.class', restOfMaker.as('rest_until')])
      .where('api_keys.key', '=', key)
      .where('api_keys.deleted_at', 'is', null)
      .where('accounts.frozen_at', 'is', null)
      .where(isKept)
      .executeTakeFirst()
    const material = row && this.#materialOf(row)
    if (!row || row.core_user === null || material === undefined) return undefined
    const { number, kind, scopes, ips, created_at: createdAt, expires_at: expiresAt, account, core_user: user, uid, class: userClass } = row
    const whose = { account, user, uid, class: userClass, restUntil: row.rest_until ?? 0 }
    return { number, key, kind, material, scopes, ips, createdAt, expiresAt, ...whose }
  }

  /**
   * What a program does in a transaction of its own. The account's row is locked, and the key must still be allowed to do it: it may have
   * been deleted or narrowed meanwhile.
   *
   * throws  Refused FORBIDDEN, and what `work` throws
   */
  async act<Result>(
    { account, number, scope, ip }: KeyUse,
    { action, detail }: { readonly action: Action; readonly detail: Readonly<Record<string, string>> },
    work: (db: IdentityDb) => Promise<Result>,
  ): Promise<Result> {
    return this.#db.transaction().execute(async (db) => {
      const owner = db.selectFrom('accounts').select('frozen_at').where('id', '=', account)
      const { frozen_at: frozenAt } = await owner.forUpdate().executeTakeFirstOrThrow()
      const key = await this.#living(account, db).where('number', '=', number).forShare().executeTakeFirst()
      const isAllowed = key?.scopes.includes(scope) && (key.expires_at === null || key.expires_at > this.#clock())
      if (frozenAt !== null || !isAllowed) throw new Refused('FORBIDDEN')
      const result = await work(db)
      const visitor = { ip, userAgent: '' }
      await record(db, this.#clock, { account, action, visitor, detail: { ...detail, number, label: key!.label } })
      return result
    })
  }

  /** Records the last use. The first use of the day from an address is logged. */
  async used(number: number, at: number, ip: string): Promise<void> {
    const row = await this.#db
      .updateTable('api_keys')
      .set((key) => ({
        last_used_at: key.fn<number>('greatest', ['last_used_at', key.val(at)]),
        last_ip: key.case().when('last_used_at', '>', at).then(key.ref('last_ip')).else(ip).end(),
      }))
      .where('number', '=', number)
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    const used = this.#db
      .selectFrom('audit_log')
      .select('id')
      .where('account', '=', row.account)
      .where('action', '=', 'key-used')
      .where(sql<boolean>`detail->>'number' = ${String(number)}`)
    const since = this.#clock() - day
    if (await used.where('at', '>', since).where('ip', '=', ip).limit(1).executeTakeFirst()) return
    const isFirst = (await used.limit(1).executeTakeFirst()) === undefined
    const detail = { number, label: row.label, ...(isFirst ? { isFirst } : {}) }
    await record(this.#db, this.#clock, { account: row.account, action: 'key-used', visitor: { ip, userAgent: '' }, detail })
  }

  /**
   * Ends what acts for an account or hears of it without a login, for good: API keys and webhooks. Part of a transaction; listeners are
   * told of the keys when `announce` is called, which must be after the commit.
   */
  async endPrograms(db: IdentityDb, account: string): Promise<{ readonly announce: () => void }> {
    await sql`
      update webhooks set deleted_at = ${this.#clock()}, secret = null, old_secret = null, old_until = null
      where account = ${account} and deleted_at is null`.execute(db)
    const ended = await endKeys(db, this.#clock(), keysOfPerson(account))
    return { announce: () => ended.forEach((key) => this.#announce(key)) }
  }

  /** Ends the keys that a member of a firm made for its accounts. Part of a transaction, as `endPrograms` is. */
  async endOfMember(db: IdentityDb, member: string): Promise<{ readonly announce: () => void }> {
    const ended = await endKeys(db, this.#clock(), sql<boolean>`member = ${member}`)
    return { announce: () => ended.forEach((key) => this.#announce(key)) }
  }

  /** Announces all keys of an account, and those that its owner made for firms: it was frozen, opened again, or rests. */
  async announceAll(account: string): Promise<void> {
    const living = this.#db.selectFrom('api_keys').select('key').where('deleted_at', 'is', null).where(keysOfPerson(account))
    for (const { key } of await living.execute()) this.#announce(key)
  }

  /** Calls the listener for every key that this process changes or deletes. Returns a function that stops the calls. */
  onChanged(listener: (key: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #check({ label, publicKey, expiresAt, ...terms }: Omit<WireNewKey, 'password'>): Checked {
    return {
      label: label.trim(),
      publicKey: publicKey === undefined ? null : publicKeyOf(publicKey),
      terms: normalTerms({ ...terms, expiresAt: expiresAt ?? null }, this.#policy, this.#clock()),
    }
  }

  async #insert({ label, publicKey, terms }: Checked, who: KeyHolder): Promise<WireKeyMade> {
    const key = newApiKey()
    const secret = publicKey === null ? newApiKey() : undefined
    const row = await this.#db.transaction().execute(async (db) => {
      await requireMaker(db, who.account, who.member?.id)
      // Locks the account, so that parallel requests can't exceed the limit.
      await db.selectFrom('accounts').select('id').where('id', '=', who.account).forUpdate().executeTakeFirstOrThrow()
      await this.#refuseMore(db, who.account)
      const added = await db
        .insertInto('api_keys')
        .values({
          id: randomUUID(),
          account: who.account,
          member: who.member?.id ?? null,
          key,
          label,
          kind: publicKey?.kind ?? 'hmac',
          secret: secret === undefined ? null : this.#seal.close(secret, key),
          public_key: publicKey?.pem ?? null,
          scopes: terms.scopes,
          ips: terms.ips,
          created_at: this.#clock(),
          expires_at: terms.expiresAt,
          last_used_at: null,
          last_ip: null,
          deleted_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#record(db, 'key-created', added, who)
      return added
    })
    return { key: wireKey(row), ...(secret === undefined ? {} : { secret }) }
  }

  /** throws  Refused KEY_LIMIT, or TOO_MANY_TRIES when the daily number is used up */
  async #refuseMore(db: IdentityDb, account: string): Promise<void> {
    const now = this.#clock()
    const { living, today, since } = await db
      .selectFrom('api_keys')
      .select((row) => [
        row.fn.countAll<number>().filterWhere('deleted_at', 'is', null).as('living'),
        row.fn
          .countAll<number>()
          .filterWhere('created_at', '>', now - day)
          .as('today'),
        row.fn
          .min('created_at')
          .filterWhere('created_at', '>', now - day)
          .as('since'),
      ])
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    if (living >= keysMax) throw new Refused('KEY_LIMIT')
    if (today >= keysPerDay) throw new Refused('TOO_MANY_TRIES', { retryAfter: secondsUntil((since ?? now) + day, now) })
  }

  /** The terms after a change. Terms that the change does not name are not checked against clock and policy again. */
  #changed(before: Row, { scopes, ips, expiresAt }: WireKeyChange): KeyTerms {
    const own = termsOf(before)
    if (scopes === undefined && ips === undefined && expiresAt === undefined) return own
    const given = { scopes: scopes ?? own.scopes, ips: ips ?? own.ips, expiresAt: expiresAt === undefined ? own.expiresAt : expiresAt }
    return normalTerms(given, this.#policy, this.#clock())
  }

  #materialOf(row: Pick<Row, 'key' | 'secret' | 'public_key'>): string | undefined {
    if (row.secret === null) return row.public_key ?? undefined
    try {
      return this.#seal.open(row.secret, row.key)
    } catch (cause) {
      if (!(cause instanceof SealFault)) throw cause
      this.#onFault(cause)
      return undefined
    }
  }

  #living(account: string, db: IdentityDb = this.#db) {
    return db.selectFrom('api_keys').selectAll().where('account', '=', account).where('deleted_at', 'is', null)
  }

  async #record(db: IdentityDb, action: Action, row: Row, { account, session, visitor, member }: KeyHolder, more: Entry['detail'] = {}) {
    const { number, label, kind, scopes, ips, expires_at: expiresAt } = row
    if (session !== undefined) await requireLiving(db, session)
    const by = member === undefined ? {} : { member: member.id }
    const terms = { scopes: scopes.join(','), ips: ips.join(','), expiresAt: expiresAt ?? 'never' }
    await record(db, this.#clock, { account, action, visitor, session, detail: { number, label, kind, ...terms, ...more, ...by } })
  }

  #announce(key: string): void {
    for (const listener of this.#listeners) listener(key)
  }
}

/** Whose password and factor count. */
export const ownerOf = ({ member, ...who }: KeyHolder): KeyHolder => (member === undefined ? who : { ...who, account: member.account })

/** throws  Refused FIRM_KEY_SCOPE: what leaves a firm is asked for and approved by people */
function refuseWithdrawals({ scopes }: KeyTerms, { member }: KeyHolder): void {
  if (member !== undefined && scopes.includes('withdraw')) throw new Refused('FIRM_KEY_SCOPE', { field: 'scopes' })
}
