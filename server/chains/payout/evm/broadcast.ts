import { z } from 'zod'
import { type JsonRpc, NodeRefusal } from '../../rpc/json-rpc.ts'

/**
 * Hands a transaction to all nodes, so that one that loses it does not matter. "Already known" and "nonce too low" are no errors, and
 * "accepted" is no promise: only a final block decides.
 *
 * returns  what the nodes said, for people
 */
export async function broadcastEvm(nodes: readonly JsonRpc[], raw: string): Promise<string> {
  const answers = await Promise.allSettled(nodes.map((node) => node.call('eth_sendRawTransaction', [raw], z.string())))
  return answers.map(hintOf).join('; ')
}

const hintMax = 120

function hintOf(answer: PromiseSettledResult<string>): string {
  if (answer.status === 'fulfilled') return 'accepted'
  return answer.reason instanceof NodeRefusal ? answer.reason.message.slice(0, hintMax) : 'no answer'
}
