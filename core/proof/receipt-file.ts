/** A downloaded file of receipts: whether each is proved, and whether all of them tell one story. Reads line by line. */
import type { CheckSignature } from './head-keys.ts'
import { headText, type ProofHead } from './head.ts'
import { checkReceipt, type Receipt } from './receipt.ts'

/**
 * Checks the lines of `receipts.ndjson`. Several files may follow one another while the receipts of each customer come in their order. That
 * a receipt is missing, nobody can see from the others.
 *
 *   const file = new ReceiptFile(check)
 *   for (const line of lines) { const wrong = await file.take(line); … }
 */
export class ReceiptFile {
  readonly #check: CheckSignature
  /** Many receipts have one head, and all of them the same keys. */
  readonly #checked = new Map<string, Promise<boolean>>()
  readonly #heads = new Map<number, string>()
  readonly #lastSeqs = new Map<string, number>()
  #firstKey: string | undefined
  #count = 0
  #last: { readonly receipt: Receipt; readonly head: ProofHead } | undefined

  constructor(check: CheckSignature) {
    this.#check = (publicKey, text, signature) => {
      const key = `${publicKey} ${signature} ${text}`
      const known = this.#checked.get(key) ?? check(publicKey, text, signature)
      this.#checked.set(key, known)
      return known
    }
  }

  get count(): number {
    return this.#count
  }

  /** The receipt that was taken last, and its head. */
  get last(): { readonly receipt: Receipt; readonly head: ProofHead } | undefined {
    return this.#last
  }

  get firstKey(): string | undefined {
    return this.#firstKey
  }

  /** Takes the next line. Returns what is wrong with it; undefined when nothing is. */
  async take(line: string): Promise<string | undefined> {
    const found = await checkReceipt(line, this.#check)
    if (typeof found === 'string') return found
    const { receipt, head, firstKey } = found
    if (this.#firstKey !== undefined && firstKey !== this.#firstKey) return 'has another first key than the lines before'
    const text = headText(head)
    if ((this.#heads.get(head.n) ?? text) !== text) return `has another head ${head.n} than a line before`
    if (receipt.seq <= (this.#lastSeqs.get(receipt.user) ?? 0)) return `has the receipt of command ${receipt.seq} out of order`
    this.#firstKey = firstKey
    this.#heads.set(head.n, text)
    this.#lastSeqs.set(receipt.user, receipt.seq)
    this.#count += 1
    this.#last = { receipt, head }
    return undefined
  }
}
