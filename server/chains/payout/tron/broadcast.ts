import type { TronNode } from './node.ts'

const hintMax = 120

/**
 * Hands a transaction to all nodes. Their answers prove nothing: "not enough connections" is said of one that is in the pool already,
 * and "duplicate" also of one that is nowhere.
 *
 * returns  what the nodes said, for people
 */
export async function broadcastTron(nodes: readonly TronNode[], raw: string): Promise<string> {
  const answers = await Promise.allSettled(nodes.map((node) => node.broadcast(raw)))
  return answers.map(hintOf).join('; ')
}

function hintOf(answer: PromiseSettledResult<{ readonly result?: boolean | undefined; readonly code?: string | undefined }>): string {
  if (answer.status === 'rejected') return 'no answer'
  return answer.value.result === true ? 'accepted' : (answer.value.code ?? 'unknown answer').slice(0, hintMax)
}
