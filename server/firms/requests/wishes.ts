import type { WireFirmAddress, WireFirmMemberWish, WireFirmWish, WireFirmWithdrawal } from '@candor/core/protocol/wire/firm/requests.ts'
import type { AddressBook } from '../../chains/book/book.ts'
import type { ListedCoin } from '../../chains/desk/coins.ts'
import type { AskedWithdrawal, WithdrawDesk } from '../../chains/desk/withdraw-desk.ts'
import { Refused } from '../../refused.ts'
import { checkRule, mostOf } from './rule.ts'
import type { Payload, RequestDb } from './tables.ts'

/** The main account of a firm. `user`: in the core. */
export type Main = { readonly account: string; readonly user: number }

/** How this room reaches withdrawals. */
export type FirmWithdrawals = Pick<WithdrawDesk, 'paymentForFirm' | 'requestForFirm'>
/** Reads what was asked for, under the id of its request. throws  Refused NETWORK_UNKNOWN, ASSET_UNKNOWN, and those of amounts */
export type ReadWithdrawal = (id: string, wished: WireFirmWithdrawal) => AskedWithdrawal

/** What a request stores. `shown`: words for those who decide, which stay when lists change. */
export type Prepared = {
  readonly payload: Payload
  readonly shown: Readonly<Record<string, string>>
  readonly payment: object | null
  readonly sealed: Buffer | null
}

export type WishParts = {
  readonly db: RequestDb
  readonly book: Pick<AddressBook, 'checkForFirm' | 'openForFirm' | 'addForFirm'>
  /** Undefined: the exchange has no chains. */
  readonly withdrawals: FirmWithdrawals | undefined
  readonly readWithdrawal: ReadWithdrawal
}

/** Checks what is asked for, as far as it can be known before others approve. */
export class FirmWishes {
  readonly #parts: WishParts

  constructor(parts: WishParts) {
    this.#parts = parts
  }

  /** throws  Refused as withdrawals and addresses of persons; FIRM_RULE, NOT_FOUND, USER_UNKNOWN, FIRM_MEMBER_EXISTS, FIRM_OWNER_STAYS */
  async prepare(firm: string, id: string, wish: WireFirmWish): Promise<Prepared> {
    switch (wish.kind) {
      case 'withdrawal':
        return this.#withdrawal(firm, id, wish.withdrawal)
      case 'address':
        return this.#address(firm, id, wish.address)
      case 'rule': {
        checkRule(wish.rule)
        if (mostOf(wish.rule) > (await this.#approvers(firm))) throw new Refused('FIRM_RULE', { field: 'rule' })
        return plain({ bands: wish.rule.bands, addressPeople: wish.rule.addressPeople })
      }
      case 'member':
        return this.#member(firm, wish.member)
    }
  }

  /** throws  Refused ACCOUNT_CLOSED while the main account is being opened, USER_FROZEN unless it may be */
  async mainOf(firm: string, { mayBeFrozen = false }: { readonly mayBeFrozen?: boolean } = {}): Promise<Main> {
    const row = await this.#parts.db
      .selectFrom('firm_accounts')
      .innerJoin('accounts', 'accounts.id', 'firm_accounts.account')
      .select(['accounts.id', 'accounts.core_user', 'accounts.frozen_at'])
      .where('firm_accounts.firm', '=', firm)
      .where('firm_accounts.kind', '=', 'main')
      .where('firm_accounts.is_open', '=', true)
      .executeTakeFirst()
    if (row === undefined || row.core_user === null) throw new Refused('ACCOUNT_CLOSED')
    if (row.frozen_at !== null && !mayBeFrozen) throw new Refused('USER_FROZEN')
    return { account: row.id, user: row.core_user }
  }

  /** throws  Refused WITHDRAWALS_CLOSED without chains */
  withdrawals(): FirmWithdrawals {
    if (this.#parts.withdrawals === undefined) throw new Refused('WITHDRAWALS_CLOSED')
    return this.#parts.withdrawals
  }

  async #withdrawal(firm: string, id: string, wished: WireFirmWithdrawal): Promise<Prepared> {
    const main = await this.mainOf(firm)
    const asked = this.#parts.readWithdrawal(id, wished)
    const { payment, destination, asset } = await this.withdrawals().paymentForFirm(asked, main)
    const { network, chainId, contract = null, to: recipient, value } = payment
    const { label } = await this.#parts.db
      .selectFrom('withdrawal_addresses')
      .select('label')
      .where('id', '=', wished.address)
      .executeTakeFirstOrThrow()
    return {
      payload: { ...wished },
      shown: { destination: recipient, label, networkLabel: networkLabel(asked.coin) },
      payment: {
        ...{ destination: destination.number, network, chainId, asset, contract, recipient },
        ...{ value: String(value), decimals: asked.coin.token.decimals },
      },
      sealed: null,
    }
  }

  async #address(firm: string, id: string, given: WireFirmAddress): Promise<Prepared> {
    const { account } = await this.mainOf(firm)
    const fresh = await this.#parts.book.checkForFirm(given, account, id)
    const { network, address, label, owner, exchange } = fresh
    const { middle } = given
    return {
      payload: {
        ...{ network: network.name, address, label, owner },
        ...(exchange === null ? {} : { exchange }),
        ...(middle === undefined ? {} : { middle }),
      },
      shown: { destination: address, label, networkLabel: network.label },
      payment: null,
      sealed: fresh.beneficiary,
    }
  }

  async #member(firm: string, wish: WireFirmMemberWish): Promise<Prepared> {
    const { db } = this.#parts
    const { member, uid, label, role, accounts } = wish
    if ((member === undefined) === (uid === undefined)) throw new Refused('FIELD_INVALID', { field: 'member' })
    if (member !== undefined) {
      const row = await db
        .selectFrom('firm_members')
        .innerJoin('accounts', 'accounts.id', 'firm_members.account')
        .select(['firm_members.state', 'firm_members.role', 'firm_members.label', 'accounts.uid'])
        .where('firm_members.id', '=', member)
        .where('firm_members.firm', '=', firm)
        .executeTakeFirst()
      if (row === undefined || row.state === 'ended') throw new Refused('NOT_FOUND')
      if (row.role === 'owner') throw new Refused('FIRM_OWNER_STAYS')
      return plain(
        { member, role, ...(label === undefined ? {} : { label }), ...(accounts === undefined ? {} : { accounts }) },
        // The UID tells the person whatever the names: any manager gives names, also those of somebody else.
        { name: row.label, uid: row.uid, before: row.role, ...(label === undefined || label === row.label ? {} : { label }) },
      )
    }
    if (role === null || label === undefined) throw new Refused('FIELD_MISSING', { field: 'label' })
    const invited = await db
      .selectFrom('accounts')
      .leftJoin('firm_members', (join) =>
        join.onRef('firm_members.account', '=', 'accounts.id').on('firm_members.firm', '=', firm).on('firm_members.state', '<>', 'ended'),
      )
      .select('firm_members.id as member')
      .where('accounts.uid', '=', uid!)
      .where('accounts.firm', 'is', null)
      .where('accounts.erased_at', 'is', null)
      .executeTakeFirst()
    if (invited === undefined) throw new Refused('USER_UNKNOWN', { field: 'uid' })
    if (invited.member !== null) throw new Refused('FIRM_MEMBER_EXISTS', { field: 'uid' })
    return plain({ uid, label, role, accounts: accounts ?? null }, { name: label, uid: uid! })
  }

  async #approvers(firm: string): Promise<number> {
    const { count } = await this.#parts.db
      .selectFrom('firm_members')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('firm', '=', firm)
      .where((row) => row.fn<boolean>('firm_can_approve', ['id']))
      .executeTakeFirstOrThrow()
    return Number(count)
  }
}

const plain = (payload: Payload, shown: Readonly<Record<string, string>> = {}): Prepared => ({
  payload,
  shown,
  payment: null,
  sealed: null,
})

const networkLabel = ({ network }: ListedCoin): string => network.label
