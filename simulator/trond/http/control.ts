/** `POST /control/*`: how tests and the sandbox drive the node. No real node has this. */
import type { ForkOptions, Node } from '../chain/node.ts'
import { addressIn } from './build.ts'
import type { Json } from '../wire/json.ts'
import { type Fault, type Faults } from './faults.ts'

type Control = (node: Node, body: Json, faults: Faults) => Promise<void> | void

const controls: Readonly<Record<string, Control>> = {
  mine: (node, body) => node.mine(Number(body.blocks ?? 1), body.isEmpty === true),
  fork: (node, body) => node.fork(forkOf(body)),
  grant: (node, body) =>
    node.grant({ address: addressIn(body, 'address'), bandwidth: Number(body.bandwidth ?? 0), energy: Number(body.energy ?? 0) }),
  offline: (node, body) => node.setOffline(Number(body.witnesses ?? 0)),
  fault: (_, body, faults) => faults.arm(body as Fault),
  'hide-logs': (_, body, faults) => faults.hideLogs(Number(body.from), Number(body.to)),
  clear: (_, __, faults) => faults.clear(),
  forget: (node, body) => node.forget(String(body.txid)),
}

/**
 * returns  the newest and the newest solid block afterwards
 * throws   Error for an unknown control
 */
export async function control(name: string, node: Node, body: Json, faults: Faults): Promise<Json> {
  if (!Object.hasOwn(controls, name)) throw new Error(`${name} is no control`)
  await controls[name](node, body, faults)
  return { head: node.chain.head.number, solid: node.chain.solid.number }
}

function forkOf(body: Json): ForkOptions {
  const depth = Number(body.depth ?? 1)
  const keep = (body.keep ?? 'all') as ForkOptions['keep']
  return { depth, keep, blocks: Number(body.blocks ?? depth + 1) }
}
