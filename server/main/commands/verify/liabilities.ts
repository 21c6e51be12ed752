import { checkLiabilities, type ProvedLiabilities } from '@candor/core/proof/liabilities.ts'
import { type CheckSignature, isWritten } from '@candor/core/proof/head-keys.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Result } from '../../command.ts'

/** Larger than the proof of a customer in every asset. */
const sizeMax = 20_000_000
/** All proofs begin like this, and no line of heads does. */
const beginning = '{"uid":'

/** Whether a file has a proof of liabilities. */
export async function isLiabilityProof(path: string): Promise<boolean> {
  for await (const part of createReadStream(path, { encoding: 'latin1', end: beginning.length - 1 })) return part === beginning
  return false
}

/**
 * Checks a downloaded proof of liabilities.
 *
 * firstKey  that the exchange must have signed with first; undefined: any
 */
export async function verifyLiabilities(path: string, firstKey: string | undefined, check: CheckSignature): Promise<Result> {
  const found = await checked(path, check)
  const wrong =
    'wrong' in found
      ? found.wrong
      : firstKey !== undefined && firstKey !== found.firstKey
        ? `The first key is ${found.firstKey}`
        : undefined
  if (wrong !== undefined || 'wrong' in found) return { json: { ok: false, wrong }, lines: [`${path}: wrong: ${wrong}`], isFailure: true }
  const { statement, own, uid } = found
  const parts = own.map(({ asset, kind, amount }) => {
    const tree = statement.trees.find((one) => one.asset === asset && one.kind === kind)!
    return { asset, kind, amount: formatUnits(amount, tree.scale), of: formatUnits(tree.sum, tree.scale) }
  })
  return {
    json: { ok: true, uid, statement: statement.n, seq: statement.seq, at: statement.at, own: parts, key: found.firstKey },
    lines: [
      `${path}: customer ${uid} in statement ${statement.n}, made ${new Date(statement.at).toISOString()} up to command ${statement.seq}`,
      ...parts.map(({ asset, kind, amount, of }) => `  ${asset} ${kind}: ${amount} of ${of}`),
      ...(parts.length === 0 ? ['  nothing'] : []),
      `First key: ${found.firstKey}. Compare it with what others have.`,
    ],
  }
}

async function checked(
  path: string,
  check: CheckSignature,
): Promise<(ProvedLiabilities & { readonly uid: string }) | { readonly wrong: string }> {
  if ((await stat(path)).size > sizeMax) return { wrong: 'It is too long' }
  const text = await readFile(path, 'latin1')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { wrong: 'It is no JSON' }
  }
  // Written in one way only, so that no byte of the file can change unnoticed.
  if (!isWritten(value, text.endsWith('\n') ? text.slice(0, -1) : text)) return { wrong: 'It is not written as the exchange writes it' }
  const found = await checkLiabilities(value, {}, check)
  return 'wrong' in found ? found : { ...found, uid: (value as { readonly uid: string }).uid }
}
