/**
 * Signs deposit addresses again after a change of the wallet service's key, so that their customers see them and deposits to them are
 * credited. An address is signed again only where an earlier key has signed it for this customer, and where the wallet service computes
 * the same address for its place: whoever can write to the database can have nothing else signed.
 */
import { depositAddressText, type WalletKeyChange } from '@candor/core/proof/deposit-address.ts'
import type { KeyObject } from 'node:crypto'
import type pg from 'pg'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import { ed25519Key, isSignedBy } from '../signer/statement.ts'
import type { WalletService } from './wallet.ts'

export type ResignerOptions = {
  readonly pool: pg.Pool
  readonly wallet: WalletService
  /** Ed25519 key of the wallet service, and how it followed on earlier ones, from the settings: not from the database. */
  readonly walletKey: string
  readonly changes: readonly WalletKeyChange[]
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
  /** Rows that are read at a time. */
  readonly batch?: number
}

type Row = { readonly network: string; readonly place: number; readonly address: string; readonly uid: string; readonly signature: Buffer }

const usualBatch = 200

/** Refusals of one address. After any other one the wallet service is asked again. */
const ofAddress: readonly Reason[] = ['PLACE_TAKEN', 'NO_ADDRESSES', 'BAD_REQUEST']

export class Resigner {
  readonly #options: ResignerOptions
  readonly #key: KeyObject
  readonly #earlier: readonly KeyObject[]
  /** The last row that was looked at; undefined once all were. */
  #last: Pick<Row, 'network' | 'place'> | undefined = { network: '', place: 0 }
  #signed = 0
  #left = 0

  constructor(options: ResignerOptions) {
    this.#options = options
    this.#key = ed25519Key(options.walletKey)
    this.#earlier = earlierKeys(options).map(ed25519Key)
    if (this.#earlier.length === 0) this.#last = undefined
  }

  /** One batch. returns  whether there are more. throws  Error when the wallet service does not answer: the next turn goes on */
  async turn(): Promise<boolean> {
    if (this.#last === undefined) return false
    const { pool, batch = usualBatch } = this.#options
    const { rows } = await pool.query<Row>(
      `select network, place, address, uid, signature from deposit_addresses join accounts on accounts.id = account
       where (network, place) > ($1, $2) order by network, place limit $3`,
      [this.#last.network, this.#last.place, batch],
    )
    for (const row of rows) {
      await this.#look(row)
      this.#last = row
    }
    if (rows.length > 0) return true
    this.#last = undefined
    this.#tell()
    return false
  }

  async #look(row: Row): Promise<void> {
    const text = textOf(row)
    const isBy = (key: KeyObject): boolean => text !== undefined && isSignedBy(key, text, row.signature.toString('hex'))
    if (isBy(this.#key)) return
    if (this.#earlier.some(isBy) && (await this.#sign(row))) this.#signed++
    else this.#left++
  }

  /** returns  whether the wallet service has the same address at the place, and the place for the customer */
  async #sign({ network, place, uid, address, signature: earlier }: Row): Promise<boolean> {
    try {
      const issued = await this.#options.wallet.issue({ network, place, uid })
      if (issued.address !== address) return false
      await this.#options.pool.query(
        'update deposit_addresses set signature = $4 where network = $1 and address = $2 and place = $3 and signature = $5',
        [network, address, place, Buffer.from(issued.signature), earlier],
      )
      return true
    } catch (cause) {
      if (cause instanceof SignerRefused && ofAddress.includes(cause.reason)) return false
      throw cause
    }
  }

  #tell(): void {
    const { log } = this.#options
    if (this.#signed > 0) log({ message: `Deposit addresses that were signed with the new key: ${this.#signed}` })
    if (this.#left > 0)
      log({ message: `Deposit addresses that no key signed as they stand, or that the policy does not lead to: ${this.#left}` })
  }
}

/** Those from which the key follows by changes, the newest first. */
function earlierKeys({ walletKey, changes }: Pick<ResignerOptions, 'walletKey' | 'changes'>): readonly string[] {
  const keys: string[] = []
  let to = walletKey
  for (const change of changes.toReversed())
    if (change.to === to) {
      keys.push(change.from)
      to = change.from
    }
  return keys
}

function textOf(row: Row): Buffer | undefined {
  try {
    return Buffer.from(depositAddressText(row))
  } catch {
    return undefined
  }
}
