/** Calls that change nothing: on a state over the newest one, which is thrown away. */
import { messageOf } from '../chain/execute.ts'
import type { VmOutcome } from '../chain/vm.ts'
import { State } from '../state/state.ts'
import type { View } from './view.ts'

const energyMax = 100_000_000

export type ConstantCall = {
  readonly caller: string
  readonly to: string
  readonly isCreation: boolean
  readonly data: Uint8Array
  readonly value: bigint
}

/** The contract as this port sees it. `why`: the reason of a failure, or empty. */
export async function callConstant(view: View, call: ConstantCall, energyLimit = energyMax): Promise<VmOutcome & { readonly why: string }> {
  return view.node.alone(async () => {
    const { number, time } = view.top
    const outcome = await view.node.chain.vm.run(new State(view.state), { ...call, energyLimit, block: { number, time } })
    return { ...outcome, why: messageOf(outcome.result, energyLimit) }
  })
}

/**
 * The least energy with which a call succeeds, within 1%. It's above what the call uses, because an inner call gets at most 63/64.
 *
 * returns  undefined when the call fails with any energy
 */
export async function estimateEnergy(view: View, call: ConstantCall): Promise<number | undefined> {
  const first = await callConstant(view, call)
  if (first.result !== 'SUCCESS') return undefined
  let limit = first.energy
  while ((await callConstant(view, call, limit)).result !== 'SUCCESS') limit = Math.ceil(limit * 1.01)
  return limit
}
