/** A file with all that made the chain, a line each, so that a chain survives the end of its node. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'

/** A block: its time, its witness and its transactions as hex. `back`: blocks that a fork removed. */
export type Entry =
  | { readonly block: readonly [time: number, witness: number, ...transactions: readonly string[]] }
  | { readonly back: number }
  | { readonly grant: { readonly address: string; readonly bandwidth: number; readonly energy: number } }

export class ChainFile {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    mkdirSync(dirname(file), { recursive: true })
  }

  /** All entries. A last line without an end was cut by a crash: it is removed. */
  entries(): readonly Entry[] {
    if (!existsSync(this.#file)) return []
    const text = readFileSync(this.#file, 'utf8')
    const end = text.lastIndexOf('\n') + 1
    if (end < text.length) truncateSync(this.#file, Buffer.byteLength(text.slice(0, end)))
    return text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry)
  }

  add(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
