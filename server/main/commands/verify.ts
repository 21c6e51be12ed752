import type { CheckSignature } from '@candor/core/proof/head-keys.ts'
import { HeadFile } from '@candor/core/proof/head-file.ts'
import { verify as verifySignature } from 'node:crypto'
import { open } from 'node:fs/promises'
import { ed25519Key } from '../../chains/signer/statement.ts'
import { type CliCommand, CommandFault, optional, type Result, UsageFault } from '../command.ts'
import { isLiabilityProof, verifyLiabilities } from './verify/liabilities.ts'

/** Longer than any line of the exchange. */
const lineMax = 100_000

export const verify: CliCommand = {
  name: 'verify',
  about:
    'Check a downloaded file of signed heads, of which each must follow from those before it, or a proof of liabilities. Needs no exchange and no network',
  operands: ['FILE'],
  options: { key: { type: 'string', value: 'HEX', about: 'The first public key that the file must have' } },
  async run(input): Promise<Result> {
    const [path] = input.operands
    if (path === undefined) throw new UsageFault('FILE is missing')
    const wanted = optional(input, 'key')
    const check: CheckSignature = async (key, text, signature) => isSigned(key, text, signature)
    if (await isLiabilityProof(path)) return verifyLiabilities(path, wanted, check)
    const file = new HeadFile(check)
    const wrong = await firstFault(path, file)
    const { last, firstKey } = file
    if (wrong !== undefined) return { json: { ok: false, wrong }, lines: [`${path}: wrong: ${wrong}`], isFailure: true }
    if (last === undefined) throw new CommandFault(`${path} has no heads`)
    if (wanted !== undefined && wanted !== firstKey) {
      const why = `the first key is ${firstKey}`
      return { json: { ok: false, wrong: why }, lines: [`${path}: wrong: ${why}`], isFailure: true }
    }
    return {
      json: { ok: true, heads: last.n, seq: last.seq, hash: last.hash, key: firstKey },
      lines: [
        `${path}: ${last.n} heads up to command ${last.seq}, each signed and following from those before`,
        `First key: ${firstKey}. Compare it with what others have.`,
      ],
    }
  },
}

async function firstFault(path: string, file: HeadFile): Promise<string | undefined> {
  await using handle = await open(path)
  let number = 0
  for await (const line of handle.readLines({ encoding: 'latin1' })) {
    number += 1
    const wrong = line.length > lineMax ? 'is too long' : await file.take(line)
    if (wrong !== undefined) return `line ${number} ${wrong}`
  }
  return undefined
}

function isSigned(publicKey: string, text: string, signature: string): boolean {
  return verifySignature(null, Buffer.from(text, 'latin1'), ed25519Key(publicKey), Buffer.from(signature, 'hex'))
}
