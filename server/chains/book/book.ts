import { randomUUID } from 'node:crypto'
import type { WireNewWithdrawalAddress, WireWithdrawalAddress, WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import { areAlike, isMiddleOf } from '@candor/core/risk/addresses.ts'
import { sql } from 'kysely'
import type { Factors, Person } from '../../identity/factors/factors.ts'
import type { AllowLists } from '../../identity/regain/allow-list.ts'
import type { Seal } from '../../identity/seal.ts'
import type { IdentityDb } from '../../identity/tables.ts'
import type { Clock, Owners } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Store } from '../../store/open.ts'
import { type NetworkTerms, wireNetwork } from '../networks.ts'
import { type FreshAddress, readNewAddress, readText, tidied } from './reading.ts'
import { type BookDb, bookDb, wireAddress, type WithdrawalAddressRow } from './tables.ts'
import { addressesMax, addressesPerDay, addressWaitMs, pastShown } from './terms.ts'

const day = 86_400_000

export type BookOptions = {
  readonly store: Store
  readonly factors: Pick<Factors, 'require' | 'change'>
  readonly locks: Pick<AllowLists, 'of'>
  readonly owners: Pick<Owners, 'warn'>
  /** Encrypts names of beneficiaries. */
  readonly seal: Seal
  readonly networks: readonly NetworkTerms[]
  /** Whether it is a deposit address of this exchange. `address`: in the form in which it is stored. */
  readonly isOurs: (network: string, address: string) => Promise<boolean>
  readonly onFault: (cause: unknown) => void
  readonly clock?: Clock
}

/** Where a withdrawal goes. `number`: by which the core knows it. */
export type Destination = { readonly number: number; readonly network: string; readonly address: string }

/** `beneficiary`: absent for the customer's own wallet. */
export type Payee = Destination & Pick<WireWithdrawalAddress, 'owner' | 'exchange' | 'beneficiary'>

/** As it is stored: the name of the beneficiary opens under the address's id alone. */
export type SealedAddress = Omit<FreshAddress, 'beneficiary'> & { readonly beneficiary: Buffer | null }
type Named = { readonly id: string; readonly middle: string | undefined }

/** The withdrawal lists of customers: the only addresses to which withdrawals go. */
export class AddressBook {
  readonly #options: BookOptions
  readonly #db: BookDb
  readonly #clock: Clock

  constructor(options: BookOptions) {
    this.#options = options
    this.#db = bookDb(options.store)
    this.#clock = options.clock ?? Date.now
  }

  async list(account: string): Promise<WireWithdrawalList> {
    const { networks, locks } = this.#options
    const [rows, past, lock] = await Promise.all([
      living(this.#db, account).orderBy('number').execute(),
      this.#db
        .selectFrom('withdrawal_addresses')
        .select(['network', 'address', 'label'])
        .where('account', '=', account)
        .where('removed_at', 'is not', null)
        .orderBy('number', 'desc')
        .limit(pastShown)
        .execute(),
      locks.of(account),
    ])
    return {
      addresses: rows.map((row) => this.#wire(row)),
      past,
      networks: networks.map(wireNetwork),
      max: addressesMax,
      waitMs: addressWaitMs,
      lock,
    }
  }

  /**
   * Adds an address, after a proof. It waits for a day, and every address of the account is told.
   *
   * throws  Refused as `readNewAddress`; PROOF_NEEDED, UNAUTHENTICATED, ADDRESS_OURS, ADDRESS_LIST_LOCKED, ADDRESS_LIST_FULL,
   *         TOO_MANY_TRIES, ADDRESS_LISTED, ADDRESS_ALIKE without the right middle
   */
  async add(given: WireNewWithdrawalAddress, person: Person): Promise<WireWithdrawalAddress> {
    const { networks, factors, owners, onFault } = this.#options
    const fresh = readNewAddress(given, networks)
    const { session, visitor } = person
    await factors.require(session, 'withdrawal-address-add')
    if (await this.#options.isOurs(fresh.network.name, fresh.address)) throw new Refused('ADDRESS_OURS', { field: 'address' })
    const id = randomUUID()
    const named = { network: fresh.network.label, destination: fresh.address }
    const change = { needs: 'withdrawal-address-add', action: 'withdrawal-address-added', detail: { id, ...named } } as const
    const beneficiary = this.#sealed(fresh, id)
    const row = await factors.change(change, person, (tx) =>
      this.#insert(tx, session.account, { ...fresh, beneficiary, id, middle: given.middle }),
    )
    const values = { ...named, until: String(row.usable_at) }
    await owners.warn(session.account, 'withdrawal-address-added', visitor, values).catch(onFault)
    return this.#wire(row)
  }

  /**
   * Checks an address that a firm asks for, under the id of its request. `beneficiary`: sealed. Nothing is written.
   *
   * throws  Refused as `add`, without proofs
   */
  async checkForFirm(given: WireNewWithdrawalAddress, account: string, id: string): Promise<SealedAddress> {
    const fresh = readNewAddress(given, this.#options.networks)
    if (await this.#options.isOurs(fresh.network.name, fresh.address)) throw new Refused('ADDRESS_OURS', { field: 'address' })
    await this.#requireFits(this.#db, account, { network: fresh.network.name, address: fresh.address, middle: given.middle })
    return { ...fresh, beneficiary: this.#sealed(fresh, id) }
  }

  /** The name of a beneficiary that `checkForFirm` sealed. */
  openForFirm(sealed: Buffer, id: string): string {
    return this.#options.seal.open(sealed, id)
  }

  /**
   * Adds the address of an approved request, under the request's id, in the caller's transaction, which locked the account's row. The
   * database takes it only as it was approved.
   *
   * throws  Refused ADDRESS_LIST_FULL, TOO_MANY_TRIES, ADDRESS_LISTED, ADDRESS_ALIKE, and as `readNewAddress`
   */
  async addForFirm(
    transaction: unknown,
    account: string,
    id: string,
    given: WireNewWithdrawalAddress,
    sealed: Buffer | null,
  ): Promise<void> {
    const beneficiary = sealed === null ? {} : { beneficiary: this.openForFirm(sealed, id) }
    const fresh = readNewAddress({ ...given, ...beneficiary }, this.#options.networks)
    await this.#insert(transaction, account, { ...fresh, beneficiary: sealed, id, middle: given.middle })
  }

  /** Changes the name of an address. throws  Refused NOT_FOUND, UNAUTHENTICATED */
  async rename(id: string, label: string, person: Person): Promise<WireWithdrawalAddress> {
    const { account } = person.session
    const change = { needs: undefined, action: 'withdrawal-address-renamed', detail: { id } } as const
    const row = await this.#options.factors.change(change, person, (tx) =>
      tablesOf(tx)
        .updateTable('withdrawal_addresses')
        .set({ label: tidied(label) })
        .where('account', '=', account)
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .returningAll()
        .executeTakeFirstOrThrow(() => new Refused('NOT_FOUND')),
    )
    return this.#wire(row)
  }

  /** Removes an address at once. Nobody gains anything by that, so it needs no proof. throws  Refused NOT_FOUND, UNAUTHENTICATED */
  async remove(id: string, person: Person): Promise<void> {
    const { networks, factors, owners, onFault } = this.#options
    const { account } = person.session
    const before = await living(this.#db, account).where('id', '=', id).executeTakeFirst()
    if (before === undefined) throw new Refused('NOT_FOUND')
    const label = networks.find(({ name }) => name === before.network)?.label ?? before.network
    const named = { network: label, destination: before.address }
    const change = { needs: undefined, action: 'withdrawal-address-removed', detail: { id, ...named } } as const
    await factors.change(change, person, async (tx) => {
      const removed = await tablesOf(tx)
        .updateTable('withdrawal_addresses')
        .set({ removed_at: this.#clock() })
        .where('number', '=', before.number)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (removed.numUpdatedRows === 0n) throw new Refused('NOT_FOUND')
    })
    await owners.warn(account, 'withdrawal-address-removed', person.visitor, named).catch(onFault)
  }

  /**
   * The address that a withdrawal would go to. Nothing counts as used.
   *
   * throws  as `use`
   */
  async find(account: string, id: string): Promise<Destination> {
    const row = await living(this.#db, account).where('id', '=', id).executeTakeFirst()
    return this.#usable(row)
  }

  /**
   * Id of an address that a program names by its text.
   *
   * throws  Refused ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_OTHER_NETWORK, ADDRESS_KEYLESS, ADDRESS_UNKNOWN when it is not listed
   */
  async idOf(account: string, { name, kind }: Pick<NetworkTerms, 'name' | 'kind'>, text: string): Promise<string> {
    const address = readText(text, kind)
    const row = await living(this.#db, account).where('network', '=', name).where('address', '=', address).executeTakeFirst()
    if (row === undefined) throw new Refused('ADDRESS_UNKNOWN', { field: 'address' })
    return row.id
  }

  /**
   * The address of a withdrawal, which counts as used from now on. Part of the transaction in which the withdrawal is asked for. It locks
   * the account's row first, as every change of the list does.
   *
   * throws  Refused ADDRESS_UNKNOWN when it is not on the account's list, ADDRESS_WAITS
   */
  async use(transaction: unknown, account: string, id: string): Promise<Destination> {
    const db = tablesOf(transaction)
    await sql`select id from accounts where id = ${account} for update`.execute(db)
    const row = await living(db, account).where('id', '=', id).executeTakeFirst()
    const destination = this.#usable(row)
    await db
      .updateTable('withdrawal_addresses')
      .set((old) => ({ uses: old('uses', '+', 1), last_used_at: this.#clock() }))
      .where('number', '=', destination.number)
      .execute()
    return destination
  }

  /** throws  Refused ADDRESS_UNKNOWN without a row, ADDRESS_WAITS */
  #usable(row: WithdrawalAddressRow | undefined): Destination {
    if (row === undefined) throw new Refused('ADDRESS_UNKNOWN', { field: 'address' })
    const wait = row.usable_at - this.#clock()
    if (wait > 0) throw new Refused('ADDRESS_WAITS', { field: 'address', retryAfter: Math.ceil(wait / 1_000) })
    const { number, network, address } = row
    return { number, network, address }
  }

  /** Who gets a withdrawal to the address of this number, on the list or not any more; undefined for an unknown number. */
  async payee(number: number): Promise<Payee | undefined> {
    const row = await this.#db.selectFrom('withdrawal_addresses').selectAll().where('number', '=', number).executeTakeFirst()
    if (row === undefined) return undefined
    const { network, address, owner, exchange, beneficiary } = this.#wire(row)
    const names = { ...(exchange === undefined ? {} : { exchange }), ...(beneficiary === undefined ? {} : { beneficiary }) }
    return { number, network, address, owner, ...names }
  }

  async #insert(
    transaction: unknown,
    account: string,
    { network, address, label, owner, exchange, beneficiary, id, middle }: SealedAddress & Named,
  ): Promise<WithdrawalAddressRow> {
    const db = tablesOf(transaction)
    const now = await this.#requireFits(db, account, { network: network.name, address, middle })
    return db
      .insertInto('withdrawal_addresses')
      .values({
        ...{ id, account, network: network.name, address, label, owner, exchange, beneficiary },
        ...{ added_at: now, usable_at: now + addressWaitMs, removed_at: null, last_used_at: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** Whether the list takes the address. Returns the time. throws  as `add` */
  async #requireFits(
    db: BookDb,
    account: string,
    { network, address, middle }: { readonly network: string; readonly address: string; readonly middle: string | undefined },
  ): Promise<number> {
    if ((await this.#options.locks.of(account, db as unknown as IdentityDb)).isOn) throw new Refused('ADDRESS_LIST_LOCKED')
    const now = this.#clock()
    const known = await db
      .selectFrom('withdrawal_addresses')
      .select(['network', 'address', 'added_at', 'removed_at'])
      .where('account', '=', account)
      .execute()
    const listed = known.filter(({ removed_at: removedAt }) => removedAt === null)
    if (listed.length >= addressesMax) throw new Refused('ADDRESS_LIST_FULL')
    const today = known.filter(({ added_at: at }) => at > now - day).map(({ added_at: at }) => at)
    if (today.length >= addressesPerDay)
      throw new Refused('TOO_MANY_TRIES', { retryAfter: Math.max(1, Math.ceil((Math.min(...today) + day - now) / 1_000)) })
    if (listed.some((one) => one.network === network && one.address === address)) throw new Refused('ADDRESS_LISTED', { field: 'address' })
    if (known.some((one) => areAlike(one.address, address)) && !isMiddleOf(address, middle ?? ''))
      throw new Refused('ADDRESS_ALIKE', { field: 'middle' })
    return now
  }

  #sealed({ beneficiary }: FreshAddress, id: string): Buffer | null {
    return beneficiary === null ? null : this.#options.seal.close(beneficiary, id)
  }

  /** A name that no longer opens is left out, so that the list is there. */
  #wire(row: WithdrawalAddressRow): WireWithdrawalAddress {
    try {
      return wireAddress(row, row.beneficiary === null ? undefined : this.#options.seal.open(row.beneficiary, row.id))
    } catch (cause) {
      this.#options.onFault(cause)
      return wireAddress(row, undefined)
    }
  }
}

function living(db: BookDb, account: string) {
  return db.selectFrom('withdrawal_addresses').selectAll().where('account', '=', account).where('removed_at', 'is', null)
}

/** The transaction of another room, as this room sees it. */
function tablesOf(transaction: unknown): BookDb {
  return transaction as BookDb
}
