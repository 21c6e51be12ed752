/** What addresses have, as a node says it. */
import type { ChainReader, NetworkKind } from '../ports.ts'
import { native } from './own.ts'

export type Holding = { readonly holder: string; readonly contract: string }
/** `from` and `to`: the balance is the one of a block between these. */
export type Sample = Holding & { readonly balance: bigint; readonly from: number; readonly to: number }

/** Balances that are asked for at the same time, and read at one block if the chain stands still for so long. */
const atOnce = 24
const tries = 4

/**
 * On an EVM network balances are those of the final block. A node of TRON tells only those of its newest solid block, so that its
 * number is read before and after.
 *
 * throws  NodeFault when the node does not answer
 */
export async function sampleOf(
  reader: ChainReader,
  kind: NetworkKind,
  final: number,
  holdings: readonly Holding[],
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let start = 0; start < holdings.length; start += atOnce)
    samples.push(...(await chunkOf(reader, kind, final, holdings.slice(start, start + atOnce))))
  return samples
}

async function chunkOf(reader: ChainReader, kind: NetworkKind, final: number, holdings: readonly Holding[]): Promise<readonly Sample[]> {
  for (let left = tries; ; left--) {
    const from = kind === 'evm' ? final : await reader.head()
    const balances = await Promise.all(
      holdings.map(({ holder, contract }) =>
        reader.balance(holder, contract === native ? undefined : contract, ...(kind === 'evm' ? [final] : [])),
      ),
    )
    const to = kind === 'evm' ? final : await reader.head()
    if (from === to || left === 1) return holdings.map((holding, place) => ({ ...holding, balance: balances[place]!, from, to }))
  }
}
