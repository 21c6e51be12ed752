/**
 * Runs a test node of TRON until it is interrupted:
 *
 *   node simulator/trond/main.ts --port=0 --solid-port=0 --block-ms=3000 --data=FOLDER
 *
 * Each is optional. Without `--data` the chain is in memory only; `--block-ms=0` makes blocks only on `POST /control/mine`.
 */
import { parseArgs } from 'node:util'
import { chainId } from './chain/block.ts'
import { rootAddress, rootKey, slotMs } from './chain/node.ts'
import { startTrond } from './start.ts'
import { toBase58 } from './wire/bytes.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'solid-port': { type: 'string', default: '0' },
    'block-ms': { type: 'string', default: String(slotMs) },
    data: { type: 'string' },
  },
})

const trond = await startTrond({
  port: numberOf('port'),
  solidPort: numberOf('solid-port'),
  blockMs: numberOf('block-ms'),
  ...(values.data === undefined ? {} : { data: values.data }),
})
const root = { address: toBase58(rootAddress), key: rootKey }
process.stdout.write(`${JSON.stringify({ url: trond.url, solidUrl: trond.solidUrl, chainId, root })}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void trond[Symbol.asyncDispose]().then(() => process.exit(0)))
}

function numberOf(name: 'port' | 'solid-port' | 'block-ms'): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name}=${values[name]} is not a number`)
  return value
}
