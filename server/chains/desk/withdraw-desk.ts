import { formatUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { RequestWithdrawal, WithdrawTerms } from '@candor/core/protocol/command/chain.ts'
import type { ClientId, NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { WithdrawTermsRow } from '@candor/core/protocol/port.ts'
import type { WirePreparedWithdrawal, WireWithdrawal } from '@candor/core/protocol/wire/chains.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { type Factors, originOf, type Person } from '../../identity/factors/factors.ts'
import type { PasskeyJson } from '../../identity/factors/passkeys.ts'
import type { Keys, KeyUse } from '../../identity/keys.ts'
import type { PaymentPasswords } from '../../identity/payment/payment-passwords.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { AddressBook } from '../book/book.ts'
import type { ChainsConfig } from '../config.ts'
import { attestedDigest, wishDigest } from '../signer/statement.ts'
import { type AssetNamed, type ListedCoin } from './coins.ts'
import { keyRestMs } from './terms.ts'
import {
  assertionOf,
  byPool,
  type CustomerProof,
  mendWishes,
  numberWish,
  refusePaused,
  type Run,
  valueWritten,
  type Wish,
  within,
  writeWish,
  written,
} from './wishes.ts'
import { type HistoryFilter, type PastWithdrawal, pastWithdrawals, type WithdrawalFilter, withdrawalsOf } from './withdrawals.ts'

export type WithdrawDeskOptions = {
  readonly pool: pg.Pool
  readonly config: ChainsConfig
  readonly book: Pick<AddressBook, 'find' | 'use' | 'idOf'>
  readonly factors: Pick<Factors, 'require' | 'change' | 'passkeys'>
  readonly payments: Pick<PaymentPasswords, 'require'>
  readonly keys: Pick<Keys, 'act'>
  /** Signs that a customer's other factors were checked. */
  readonly attest: (digest: Buffer) => string
  readonly terms: () => Promise<readonly WithdrawTermsRow[]>
  readonly available: (user: UserId, coin: ListedCoin) => Promise<Units>
  /** Sends the command to the core. Returns the number of the withdrawal. throws  Refused with the core's refusal */
  readonly submit: (command: RequestWithdrawal) => Promise<number>
  readonly assetNamed: AssetNamed
  readonly clock?: Clock
}

/** `address`: id on the customer's list. */
export type AskedWithdrawal = {
  readonly clientId: string
  readonly coin: ListedCoin
  readonly address: string
  readonly amount: Units
  readonly fee: Units
}

/** As a program asks: the address by its text, and the fee is that of the terms. */
export type AskedByKey = Omit<AskedWithdrawal, 'address' | 'fee'> & { readonly to: string }

/** The key of a program. `submit`: as in the options, with the key's number in the journal. */
export type Program = Omit<KeyUse, 'scope'> & { readonly user: number; readonly submit: WithdrawDeskOptions['submit'] }

/** An account with its number in the core. `isFirm`: what is asked for is a request of the firm. */
type Customer = { readonly account: string; readonly user: number; readonly isFirm?: true }
type Checked = { readonly wish: Wish; readonly terms: WithdrawTerms }

/**
 * Withdrawals as customers ask for them. What the customer wants is written with the customer's proof before the core is asked; the
 * signer checks both again, so that no part of the exchange can pay somebody else.
 */
export class WithdrawDesk {
  readonly #options: WithdrawDeskOptions
  readonly #clock: Clock

  constructor(options: WithdrawDeskOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
  }

  /**
   * Checks a withdrawal, and says what a passkey must sign for it. Nothing is written.
   *
   * throws  Refused as `request` does before it asks for proofs; ORIGIN_REFUSED for a program, if a passkey must sign
   */
  async prepare(asked: AskedWithdrawal, person: Person): Promise<WirePreparedWithdrawal> {
    const { wish, terms } = await this.#check(asked, person.session)
    const { account } = person.session
    const { passkeys } = this.#options.factors
    const isKeyNeeded = await this.isKeyNeeded(account)
    const challenge = wishDigest(wish.payment).toString('base64url')
    const passkey = isKeyNeeded ? await passkeys.askToSign(account, originOf(person), challenge, this.#keysOf()) : undefined
    return {
      address: wish.destination.address,
      received: formatUnits(asked.amount - asked.fee, asked.coin.asset.scale),
      people: peopleFor(terms, asked.amount),
      ...(passkey === undefined ? {} : { passkey }),
    }
  }

  /** Whether a passkey must sign the account's withdrawals: the signer then takes nothing else. */
  isKeyNeeded(account: string): Promise<boolean> {
    return this.#options.factors.passkeys.hasMadeBy(account, this.#keysOf())
  }

  /**
   * Asks for a withdrawal. A repeat under the same client id gets the first answer.
   *
   * throws  Refused WITHDRAWALS_CLOSED, FEE_CHANGED, AMOUNT_TOO_SMALL, INSUFFICIENT_BALANCE, WITHDRAWALS_PAUSED, ADDRESS_UNKNOWN,
   *         ADDRESS_WAITS, ADDRESS_OTHER_NETWORK, WITHDRAWAL_PASSKEY, PASSKEY_WRONG, PROOF_NEEDED, CLIENT_ID_REUSED; those of the payment
   *         password, and the core's
   */
  async request(
    asked: AskedWithdrawal,
    proofs: { readonly paymentPassword: string; readonly passkey?: PasskeyJson | undefined },
    person: Person,
  ): Promise<{ readonly id: string }> {
    const { pool, payments, submit } = this.#options
    const { session, visitor } = person
    const { wish } = await this.#check(asked, session)
    const customer = await this.#proved(wish, proofs.passkey, person)
    await payments.require(session.account, proofs.paymentPassword, visitor)
    if ((await written(byPool(pool), wish)) === undefined) await this.#write(wish, asked, customer, person)
    return this.#submit(wish, asked, submit)
  }

  /**
   * Asks for a withdrawal with a key, to an address of the customer's list. The key stands for the customer's other factors, but not for
   * a passkey. A repeat under the same client id gets the first answer, also after a change of the fee.
   *
   * throws  Refused WITHDRAWAL_PASSKEY when a passkey must sign the account's withdrawals, FORBIDDEN when the key has lost the permission;
   *         ADDRESS_INVALID, ADDRESS_CHECKSUM, ADDRESS_KEYLESS; otherwise as `request`, without proofs
   */
  async requestByKey(given: AskedByKey, program: Program): Promise<{ readonly id: string }> {
    const { pool, book, attest, keys } = this.#options
    const { to, clientId, coin, amount } = given
    const { account, user, number, ip, submit } = program
    if (await this.isKeyNeeded(account)) throw new Refused('WITHDRAWAL_PASSKEY')
    const address = await book.idOf(account, coin.network, to)
    const asked = { clientId, coin, address, amount, fee: (await this.#feeAskedOf(given, user)) ?? (await this.#termsOf(coin)).fee }
    const { wish } = await this.#check(asked, program)
    if ((await written(byPool(pool), wish)) === undefined) {
      const customer = { kind: 'attested', signature: attest(attestedDigest(wish.payment)) } as const
      const change = { action: 'withdrawal-requested' as const, detail: detailOf(wish, asked) }
      await keys.act({ account, number, scope: 'withdraw', ip }, change, (tx) =>
        this.#writeIn(within(tx), tx, { wish, address, account, customer }),
      )
    }
    return this.#submit(wish, asked, submit)
  }

  /**
   * Checks what a firm asks for, under the id of its request. Returns what the wish will be. Nothing is written.
   *
   * throws  Refused as `request` does before it asks for proofs
   */
  async paymentForFirm(asked: AskedWithdrawal, main: Omit<Customer, 'isFirm'>): Promise<Wish> {
    return (await this.#check(asked, { ...main, isFirm: true })).wish
  }

  /**
   * Carries out an approved request of a firm. Its approvers proved their sessions, for which the login gives its word. The database takes
   * the wish only as it was approved. A repeat gets the first answer.
   *
   * throws  Refused as `request`, without proofs
   */
  async requestForFirm<Tables>(
    asked: AskedWithdrawal,
    main: Omit<Customer, 'isFirm'>,
    db: Kysely<Tables>,
  ): Promise<{ readonly id: string }> {
    const { pool, attest, submit } = this.#options
    const { account } = main
    const { wish } = await this.#check(asked, { ...main, isFirm: true })
    if ((await written(byPool(pool), wish)) === undefined) {
      const customer = { kind: 'attested', signature: attest(attestedDigest(wish.payment)) } as const
      await db.transaction().execute(async (tx) => {
        const run = within(tx)
        // The firm before its account: whoever holds the firm writes rows that refer to the account.
        await run('select from firms where id = (select firm from accounts where id = $1) for update', [account])
        await this.#writeIn(run, tx, { wish, address: asked.address, account, customer, isFirm: true })
      })
    }
    return this.#submit(wish, asked, submit, nameOfRequest(asked.clientId))
  }

  /** A page of the customer's withdrawals, newest first. */
  list(customer: Person['session'], filter: WithdrawalFilter = {}): Promise<WirePage<WireWithdrawal>> {
    return withdrawalsOf(this.#options, customer, filter)
  }

  /** The customer's withdrawals as programs read them, newest first. */
  past(customer: Customer, filter: HistoryFilter): Promise<readonly PastWithdrawal[]> {
    return pastWithdrawals(this.#options, customer, filter)
  }

  /** Finishes what a gateway that ended has left. Returns how many. */
  mend(): Promise<number> {
    return mendWishes(this.#options.pool, this.#options.config, this.#clock())
  }

  /** Passkeys made by this time count: the signer lets newer ones wait. */
  #keysOf(): number {
    return this.#clock() - keyRestMs
  }

  /** What the core refuses is refused here first, so that nothing is written for it. The core decides. */
  async #check({ clientId, coin, address, amount, fee }: AskedWithdrawal, customer: Customer): Promise<Checked> {
    const { pool, book, available } = this.#options
    const { network, token, asset } = coin
    const terms = await this.#termsOf(coin)
    if (amount <= fee) throw new Refused('AMOUNT_TOO_SMALL', { field: 'amount' })
    const user = customer.user as UserId
    const destination = await book.find(customer.account, address)
    if (destination.network !== network.name) throw new Refused('ADDRESS_OTHER_NETWORK', { field: 'address' })
    const payment = {
      ...{ withdrawal: 0, user, clientId, network: network.name, chainId: network.chainId },
      ...(token.contract === undefined ? {} : { contract: token.contract }),
      ...{ to: destination.address, value: BigInt(amount - fee) * 10n ** BigInt(token.decimals - asset.scale) },
    }
    const wish = { payment, asset: asset.symbol, destination }
    const before = await written(byPool(pool), wish)
    // A wish that the core refused is a new request: it must not outlive a change of the account's protection. A firm's ends with the
    // refusal, so that an unknown answer is all that leaves one without a number.
    if (before === undefined || (before.withdrawal === null && customer.isFirm !== true))
      await refusePaused(byPool(pool), customer.account, this.#clock(), customer.isFirm)
    if (before !== undefined) return { wish, terms }
    if (!terms.isOpen) throw new Refused('WITHDRAWALS_CLOSED')
    if (fee !== terms.fee) throw new Refused('FEE_CHANGED', { field: 'fee' })
    if ((await available(user, coin)) < amount) throw new Refused('INSUFFICIENT_BALANCE', { field: 'amount' })
    if (amount < terms.min) throw new Refused('AMOUNT_TOO_SMALL', { field: 'amount' })
    return { wish, terms }
  }

  /**
   * The customer's proof for the signer: the passkey's signature over this very wish, or the login's word that the session was proved.
   *
   * throws  Refused WITHDRAWAL_PASSKEY when a passkey must sign and did not, PASSKEY_WRONG, PROOF_NEEDED
   */
  async #proved({ payment }: Wish, passkey: PasskeyJson | undefined, person: Person): Promise<CustomerProof> {
    const { factors, attest } = this.#options
    const { session } = person
    if (!(await this.isKeyNeeded(session.account))) {
      await factors.require(session, 'withdrawal-request')
      return { kind: 'attested', signature: attest(attestedDigest(payment)) }
    }
    if (passkey === undefined) throw new Refused('WITHDRAWAL_PASSKEY', { field: 'passkey' })
    const signed = assertionOf(passkey)
    const about = { account: session.account, challenge: wishDigest(payment).toString('base64url'), madeBy: this.#keysOf() }
    await factors.passkeys.checkSigned(passkey, originOf(person), about)
    return { kind: 'passkey', assertion: signed }
  }

  async #write(wish: Wish, asked: AskedWithdrawal, customer: CustomerProof, person: Person): Promise<void> {
    const { account } = person.session
    const change = {
      needs: customer.kind === 'passkey' ? undefined : ('withdrawal-request' as const),
      ...{ action: 'withdrawal-requested' as const, detail: detailOf(wish, asked) },
    }
    const { address } = asked
    await this.#options.factors.change(change, person, (tx) => this.#writeIn(within(tx), tx, { wish, address, account, customer }))
  }

  async #writeIn(run: Run, transaction: unknown, { wish, address, account, customer, isFirm }: Written): Promise<void> {
    if ((await written(run, wish)) !== undefined) return
    await refusePaused(run, account, this.#clock(), isFirm)
    await this.#options.book.use(transaction, account, address)
    await writeWish(run, wish, { account, customer, now: this.#clock() })
  }

  /** `name`: under which the core counts it once. */
  async #submit(wish: Wish, asked: AskedWithdrawal, submit: WithdrawDeskOptions['submit'], name = asked.clientId) {
    const { clientId, coin, amount, fee } = asked
    const { user } = wish.payment
    const number = await submit({
      ...{ type: 'withdraw.request', user: user as UserId, clientId: name as ClientId, asset: coin.asset.id },
      ...{ network: coin.network.number as NetworkNumber, amount, fee, destination: wish.destination.number },
    })
    await numberWish(this.#options.pool, user, clientId, number)
    return { id: String(number) }
  }

  /** throws  Refused WITHDRAWALS_CLOSED without terms */
  async #termsOf({ network, asset }: ListedCoin): Promise<WithdrawTerms> {
    const terms = (await this.#options.terms()).find((one) => one.asset === asset.id && one.network === network.number)?.terms
    if (terms === undefined) throw new Refused('WITHDRAWALS_CLOSED')
    return terms
  }

  /** The fee of the first request under this client id; undefined for a new one. */
  async #feeAskedOf({ clientId, coin: { token, asset }, amount }: AskedByKey, user: number): Promise<Units | undefined> {
    const value = await valueWritten(byPool(this.#options.pool), user, clientId)
    if (value === undefined) return undefined
    const received = Number(value / 10n ** BigInt(token.decimals - asset.scale))
    if (received > amount) throw new Refused('CLIENT_ID_REUSED', { field: 'clientId' })
    return (amount - received) as Units
  }
}

type Written = {
  readonly wish: Wish
  readonly address: string
  readonly account: string
  readonly customer: CustomerProof
  readonly isFirm?: true
}

/** What the log of the account says of it. */
function detailOf(wish: Wish, { coin: { network, asset }, amount }: AskedWithdrawal): Readonly<Record<string, string>> {
  return {
    amount: `${formatUnits(amount, asset.scale)} ${asset.symbol}`,
    ...{ network: network.label, destination: wish.destination.address },
  }
}

/**
 * The name of a firm's request in the core, which no client can give: members see the request's id, and whoever trades for the account
 * could use it up first.
 */
const nameOfRequest = (id: string): string => `~${id.replaceAll('-', '')}`

function peopleFor({ autoMax, singleMax }: WithdrawTerms, amount: Units): 0 | 1 | 2 {
  if (amount <= autoMax) return 0
  return amount <= singleMax ? 1 : 2
}
