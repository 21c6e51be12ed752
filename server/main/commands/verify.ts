import { HeadFile } from '@candor/core/proof/head-file.ts'
import { ReceiptFile } from '@candor/core/proof/receipt-file.ts'
import { TapeFile } from '@candor/core/proof/tape-file.ts'
import { createReadStream } from 'node:fs'
import { isHeadSigned } from '../../journal/audit-heads.ts'
import { type CliCommand, CommandFault, optional, type Result, UsageFault } from '../command.ts'
import { isChainProof, verifyChain } from './verify/chain.ts'
import { isLiabilityProof, verifyLiabilities } from './verify/liabilities.ts'
import { saidOfTape, tapeStart } from './verify/tape.ts'

/** Longer than any line of the exchange: a command that cancels all orders of a customer has a long receipt. */
const lineMax = 10_000_000
/** What a receipt begins with, and no line of a file of heads. */
const receiptStart = '{"text":'

type Checked = HeadFile | ReceiptFile | TapeFile

export const verify: CliCommand = {
  name: 'verify',
  about:
    'Check a downloaded file of signed heads, receipts, liabilities, reserves or anchors, or of the index tape: each line must be proved and fit the others. Needs no exchange and no network',
  operands: ['FILE'],
  options: { key: { type: 'string', value: 'HEX', about: 'The first public key that the file must have' } },
  async run(input): Promise<Result> {
    const [path] = input.operands
    if (path === undefined) throw new UsageFault('FILE is missing')
    const wanted = optional(input, 'key')
    if (await isLiabilityProof(path)) return verifyLiabilities(path, wanted, isHeadSigned)
    if (await isChainProof(path)) return verifyChain(path, wanted, isHeadSigned)
    const { wrong, file } = await checked(path)
    if (wrong !== undefined) return { json: { ok: false, wrong }, lines: [`${path}: wrong: ${wrong}`], isFailure: true }
    if (file instanceof TapeFile) {
      if (wanted !== undefined) throw new UsageFault('--key is not for a tape, which nobody signs')
      return saidOfTape(path, file)
    }
    if (file?.last === undefined) throw new CommandFault(`${path} has no heads and no receipts`)
    const { firstKey } = file
    if (wanted !== undefined && wanted !== firstKey) {
      const why = `the first key is ${firstKey}`
      return { json: { ok: false, wrong: why }, lines: [`${path}: wrong: ${why}`], isFailure: true }
    }
    const { json, line } = found(file)
    return {
      json: { ok: true, ...json, key: firstKey },
      lines: [`${path}: ${line}`, `First key: ${firstKey}. Compare it with what others have.`],
    }
  },
}

function found(file: HeadFile | ReceiptFile): { readonly json: object; readonly line: string } {
  if (file instanceof HeadFile) {
    const { n, seq, hash } = file.last!
    return {
      json: { heads: n, seq, hash },
      line: `${n} heads up to command ${seq}, each signed and following from those before`,
    }
  }
  const { count, last } = file
  const { receipt, head } = last!
  return {
    json: { receipts: count, user: receipt.user, seq: receipt.seq, head: head.n },
    line: `${count} receipts up to command ${receipt.seq} of user ${receipt.user}, each in the tree of a signed head`,
  }
}

async function checked(path: string): Promise<{ readonly wrong?: string; readonly file?: Checked }> {
  let file: Checked | undefined
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    file ??= fileFor(line)
    const wrong = line.length > lineMax ? 'is too long' : await file.take(line)
    if (wrong !== undefined) return { wrong: `line ${number} ${wrong}` }
  }
  return file === undefined ? {} : { file }
}

function fileFor(line: string): Checked {
  if (line.startsWith(tapeStart)) return new TapeFile()
  return line.startsWith(receiptStart) ? new ReceiptFile(isHeadSigned) : new HeadFile(isHeadSigned)
}

/** Lines end with a line feed and nothing else, so that no other byte passes for it. The last one may lack it. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    yield* lines
    if (rest.length > lineMax) break
  }
  if (rest !== '') yield rest
}
