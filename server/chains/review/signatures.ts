import { sql } from 'kysely'
import { parseUnits } from 'viem'
import { areActing } from '../../four-eyes.ts'
import type { Passkeys, PasskeyJson } from '../../identity/factors/passkeys.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { assertionOf } from '../desk/wishes.ts'
import { approvalDigest, type Payment } from '../signer/statement.ts'
import { refuseOwn } from './own-withdrawal.ts'
import type { ShownNetwork } from './reading.ts'
import { type Officer, type ReviewDb, withdrawalRoles } from './tables.ts'

export type SignaturesOptions = {
  readonly db: ReviewDb
  readonly clock: Clock
  /** Of the staff. */
  readonly passkeys: Pick<Passkeys, 'askToSign' | 'checkSigned'>
  /** By the file of networks. */
  readonly networks: readonly TokenNetwork[]
}

type TokenNetwork = Pick<ShownNetwork, 'number' | 'name'> & {
  readonly tokens: readonly { readonly asset: string; readonly contract?: string | undefined; readonly decimals: number }[]
}

/** A withdrawal as the page shows it. */
type Shown = {
  readonly user: number
  readonly network: number
  readonly asset: string
  readonly arrives: string
  readonly address: string
}

type Key = { readonly key: string; readonly operator: string }

/**
 * Members sign payments above the signer's limit, each with a passkey that stands in the signer's policy. The signer checks each
 * signature itself, so that nobody who controls the exchange's programs can pay such a sum.
 */
export class Signatures {
  readonly #options: SignaturesOptions

  constructor(options: SignaturesOptions) {
    this.#options = options
  }

  /**
   * What the member's passkey has to sign: the payment, and nothing else.
   *
   * throws  Refused NOT_FOUND, WITHDRAWAL_STATE when it waits for no signature or is not what the page shows, FORBIDDEN for their own,
   *         SECOND_PERSON_NEEDED after their first, OPERATOR_UNKNOWN
   */
  async ask(id: number, officer: Officer, origin: string): Promise<PasskeyJson> {
    const { passkeys, clock } = this.#options
    const { challenge, keys } = await this.#open(id, officer)
    const options = await passkeys.askToSign(officer.id, origin, challenge, clock())
    const allowed = (options?.['allowCredentials'] ?? []) as readonly { readonly id: string }[]
    return { ...options, allowCredentials: allowed.filter((each) => keys.some(({ key }) => key === each.id)) }
  }

  /** Takes the member's signature. The payment goes on by itself once there are two. throws  Refused as `ask`, PASSKEY_WRONG */
  async sign(id: number, response: PasskeyJson, officer: Officer, origin: string): Promise<void> {
    const { db, clock, passkeys } = this.#options
    const { challenge, keys } = await this.#open(id, officer)
    const at = clock()
    await passkeys.checkSigned(response, origin, { account: officer.id, challenge, madeBy: at })
    const operator = keys.find(({ key }) => key === response['id'])?.operator
    if (operator === undefined) throw new Refused('OPERATOR_UNKNOWN')
    const approval = JSON.stringify({ kind: 'passkey', operator, assertion: assertionOf(response) })
    await db.transaction().execute(async (tx) => {
      if (!(await areActing(tx, [officer.id], withdrawalRoles))) throw new Refused('FORBIDDEN')
      const given = await tx
        .insertInto('payout_approvals')
        .values({ withdrawal: id, operator, approval, signed_at: at, staff: officer.id })
        .onConflict((clash) => clash.doNothing())
        .returning('withdrawal')
        .executeTakeFirst()
      if (!given) throw new Refused('SECOND_PERSON_NEEDED')
      await officer.note(tx, 'withdrawal-signed', String(id), { after: { operator } })
    })
  }

  async #open(id: number, officer: Officer): Promise<{ readonly challenge: string; readonly keys: readonly Key[] }> {
    const { db } = this.#options
    const row = await db
      .selectFrom('payouts as p')
      .innerJoin('payout_warrants as w', 'w.withdrawal', 'p.withdrawal')
      .select(['w.payment', 'p.trouble'])
      .where('p.withdrawal', '=', id)
      .executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    if (row.trouble !== 'APPROVALS_MISSING') throw new Refused('WITHDRAWAL_STATE')
    await refuseOwn(db, id, officer)
    const given = await db
      .selectFrom('payout_approvals')
      .select('staff')
      .where('withdrawal', '=', id)
      .where('staff', '=', officer.id)
      .executeTakeFirst()
    if (given !== undefined) throw new Refused('SECOND_PERSON_NEEDED')
    const keys = await db
      .selectFrom('payout_operators as o')
      .innerJoin('staff_passkeys as k', 'k.credential', 'o.key')
      .select(['o.key', 'o.operator'])
      .where('k.account', '=', officer.id)
      .execute()
    if (keys.length === 0) throw new Refused('OPERATOR_UNKNOWN')
    const payment: Payment = { ...row.payment, value: BigInt(row.payment.value) }
    if (!(await this.#isShown(id, payment))) throw new Refused('WITHDRAWAL_STATE')
    return { challenge: approvalDigest(payment).toString('base64url'), keys }
  }
  /** Whether the payment is the one on the page: whoever can write to the database could have members sign another one. */
  async #isShown(id: number, payment: Payment): Promise<boolean> {
    const { db, networks } = this.#options
    const { rows } = await sql<Shown>`
      select w.user_id as user, w.network, w.asset, trim_scale(w.amount - w.fee)::text as arrives, d.address
      from core_withdrawals w join withdrawal_addresses d on d.number = w.destination where w.id = ${id}`.execute(db)
    const [shown] = rows
    const network = networks.find(({ number }) => number === shown?.network)
    const token = network?.tokens.find(({ asset }) => asset === shown?.asset)
    if (shown === undefined || network === undefined || token === undefined) return false
    const { user, address, arrives } = shown
    const isTo = payment.withdrawal === id && payment.user === user && payment.network === network.name && payment.to === address
    return isTo && payment.contract === token.contract && payment.value === parseUnits(arrives, token.decimals)
  }
}
