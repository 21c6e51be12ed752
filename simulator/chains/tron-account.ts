/** An account on a test node of TRON: the node builds its transactions, and this signs and sends them. For test chains only. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfKey, fromHex, hash, toHex } from '../trond/wire/bytes.ts'

type Built = { readonly txID: string; readonly raw_data: object; readonly raw_data_hex: string }
type Answer = { readonly Error?: string; readonly result?: unknown; readonly code?: string; readonly message?: string }

const pollMs = 100

export class TronAccount {
  readonly #url: string
  readonly #key: Uint8Array
  readonly address: string

  /** `url`: of the full node; `key`: hex of the private key. */
  constructor(url: string, key: string) {
    this.#url = url
    this.#key = fromHex(key)
    this.address = addressOfKey(secp256k1.getPublicKey(this.#key, false).slice(1))
  }

  /** Sends TRX, in sun, and gives the transaction's id. */
  async transfer(to: string, sun: number): Promise<string> {
    return this.#send(await this.#ask<Built>('createtransaction', { owner_address: this.address, to_address: to, amount: sun }))
  }

  /** Calls a contract, by no name to send it coins only. `parameter`: encoded, as hex. `feeLimit`, `value`: sun. */
  async call(contract: string, signature: string, parameter: string, feeLimit = 100_000_000, value = 0): Promise<string> {
    const terms = { owner_address: this.address, contract_address: contract, fee_limit: feeLimit }
    const { transaction } = await this.#ask<{ transaction: Built }>('triggersmartcontract', {
      ...{ ...terms, call_value: value },
      ...(signature === '' ? { data: '' } : { function_selector: signature, parameter }),
    })
    return this.#send(transaction)
  }

  /**
   * Creates a contract.
   *
   * returns  its address, which is known before it exists, and the transaction's id
   */
  async deploy(code: string, abi: readonly unknown[], parameter: string): Promise<{ readonly contract: string; readonly txid: string }> {
    const terms = {
      owner_address: this.address,
      fee_limit: 5_000_000_000,
      consume_user_resource_percent: 100,
      origin_energy_limit: 10_000_000,
    }
    const built = await this.#ask<Built & { contract_address: string }>('deploycontract', {
      ...terms,
      abi: abi.filter((entry) => (entry as { type: string }).type !== 'error'),
      bytecode: code.replace(/^0x/, ''),
      parameter,
    })
    return { contract: built.contract_address, txid: await this.#send(built) }
  }

  /**
   * Waits until a block has the transaction.
   *
   * throws  Error when it failed there
   */
  async settled(txid: string): Promise<void> {
    for (;;) {
      const { id, result } = await this.#ask<{ id?: string; result?: string }>('gettransactioninfobyid', { value: txid })
      if (result === 'FAILED') throw new Error(`transaction ${txid} failed`)
      if (id === txid) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  async #send({ txID, raw_data, raw_data_hex }: Built): Promise<string> {
    const digest = hash(fromHex(raw_data_hex))
    if (toHex(digest) !== txID) throw new Error('the id is not that of the raw data')
    const [recovery, ...parts] = secp256k1.sign(digest, this.#key, { prehash: false, format: 'recovered' })
    const signature = `${toHex(new Uint8Array(parts))}${(recovery + 27).toString(16)}`
    await this.#ask('broadcasttransaction', { txID, raw_data, raw_data_hex, signature: [signature] })
    return txID
  }

  async #ask<T>(name: string, body: object): Promise<T & Answer> {
    const response = await fetch(`${this.#url}/wallet/${name}`, { method: 'POST', body: JSON.stringify(body) })
    const answer = (await response.json()) as T & Answer
    if (answer.Error !== undefined || answer.code !== undefined) throw new Error(answer.Error ?? `${answer.code} ${answer.message}`)
    return answer
  }
}
