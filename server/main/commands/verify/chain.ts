import { fileVerdict } from '@candor/core/proof/any-file.ts'
import { anchorLines, reserveLines } from '@candor/core/proof/chain/reading.ts'
import { decimalText, isStale } from '@candor/core/proof/chain/reserves.ts'
import type { CheckSignature } from '@candor/core/proof/head-keys.ts'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { CommandFault, type Result } from '../../command.ts'

/** Larger than a statement that names every address that it may. */
const sizeMax = 20_000_000
/** What these files begin with, and no other file. */
const beginnings = ['{"reserves":', '{"anchor":']

/** Whether a file has a statement of reserves or anchors. */
export async function isChainProof(path: string): Promise<boolean> {
  for await (const part of createReadStream(path, { encoding: 'latin1', end: 20 }))
    return beginnings.some((beginning) => (part as string).startsWith(beginning))
  return false
}

/**
 * Checks a downloaded statement of reserves, or a download of anchors.
 *
 * firstKey  that the exchange must have signed with first; undefined: any
 */
export async function verifyChain(path: string, firstKey: string | undefined, check: CheckSignature): Promise<Result> {
  if ((await stat(path)).size > sizeMax) throw new CommandFault(`${path} is too long`)
  const verdict = await fileVerdict(check, await readFile(path, 'latin1'))
  if (verdict.kind !== 'reserves' && verdict.kind !== 'anchors') return failed(path, 'It is no file that can be read')
  if (verdict.wrong !== undefined)
    return failed(path, verdict.kind === 'reserves' ? verdict.wrong : `line ${verdict.wrong.line} ${verdict.wrong.why}`)
  const first = verdict.kind === 'reserves' ? verdict.proved?.firstKey : verdict.proved[0]?.firstKey
  if (firstKey !== undefined && firstKey !== first) return failed(path, `The first key is ${first}`)
  const { json, lines } = verdict.kind === 'reserves' ? saidOfReserves(verdict.proved!) : saidOfAnchors(verdict.proved)
  const [head, ...rest] = lines
  return {
    json: { ok: true, ...json, key: first },
    lines: [`${path}: ${head}`, ...rest.map((line) => `  ${line}`), `First key: ${first}. Compare it with what others have.`],
  }
}

const failed = (path: string, wrong: string): Result => ({
  ...{ json: { ok: false, wrong }, lines: [`${path}: wrong: ${wrong}`], isFailure: true },
})

type Said = { readonly json: object; readonly lines: readonly string[] }

function saidOfReserves(proved: Parameters<typeof reserveLines>[0]): Said {
  const { statement, coins } = proved
  const sums = coins.map(({ asset, decimals, isOnChain, reserves, gross, debts, overGross, overNet }) => {
    const text = (amount: bigint): string => decimalText(amount, decimals)
    const owed = { gross: text(gross), debts: text(debts), overGross: text(overGross), overNet: text(overNet) }
    return { asset, isOnChain, reserves: text(reserves), ...owed }
  })
  const { n, at, networks } = statement
  const states = networks.map(({ name, state, block, sources }) => ({ name, state, block: block?.number, sources }))
  return {
    json: { reserves: n, at, isStale: isStale(statement, Date.now()), coins: sums, networks: states },
    lines: reserveLines(proved, Date.now()),
  }
}

function saidOfAnchors(proved: Parameters<typeof anchorLines>[0]): Said {
  const anchors = proved.map(({ head, network, txid, block }) => ({ head: head.n, network, txid, block: block?.number }))
  return { json: { anchors }, lines: anchorLines(proved) }
}
