import { concat, encodeAbiParameters, getContractAddress, keccak256, numberToHex } from 'viem'

type Hex = `0x${string}`

/** A clone as EIP-1167 describes it, around the address of the code that it runs. */
const cloneHead = '0x3d602d80600a3d3981f3363d3d373d3d3d363d73'
const cloneTail = '0x5af43d82803e903d91602b57fd5bf3'

/** The forwarders of a factory on a chain. */
export type Forwarders = { readonly chainId: number; readonly factory: Hex }

/** The place of a customer as the factory takes it. */
export const forwarderPlace = (place: number): Hex => numberToHex(place, { size: 32 })

/**
 * Address of the forwarder at a place, also before it exists there. Chain and factory are part of it, so that nobody gets an address
 * on a chain where the exchange does not control it.
 */
export function forwarderAddress({ chainId, factory }: Forwarders, place: number): Hex {
  const salt = keccak256(
    encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }], [BigInt(chainId), factory, forwarderPlace(place)]),
  )
  // The factory makes the shared code first of all.
  const code = getContractAddress({ from: factory, nonce: 1n })
  return getContractAddress({ from: factory, opcode: 'CREATE2', salt, bytecode: concat([cloneHead, code, cloneTail]) })
}
