import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chainId } from '../chain/block.ts'
import { post } from './tools.ts'
import { call, hexOf, keysOf, pay, root, send, tokens, world } from './world.ts'
import { startTrond } from '../start.ts'

const alice = keysOf(1)

function folder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'trond-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

type Told = { readonly url: string; readonly solidUrl: string; readonly chainId: number; readonly root: { readonly key: string } }

async function run(
  ...options: readonly string[]
): Promise<{ readonly child: ChildProcess; readonly told: Told; readonly ended: Promise<number | null> }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url)), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [line] = (await Array.fromAsync(first(child))) as string[]
  return { child, told: JSON.parse(line) as Told, ended }
}

async function* first(child: ChildProcess): AsyncGenerator<string> {
  if (child.stdout === null) return
  for await (const line of createInterface({ input: child.stdout })) {
    yield line
    return
  }
}

test('TROND-KEEP-001: a chain kept in a folder is the same after a restart: blocks, forks, grants, balances, and what is solid', async () => {
  using kept = folder()
  const data = kept.path
  const before = await world({ data })
  const { token } = before
  await before.node.mine(25)
  const payment = call(before, token, 'transfer', [alice.address, 5_000_000n])
  await before.node.submit(payment)
  await before.node.mine(2)
  await before.node.fork({ depth: 3, keep: 'all', blocks: 4 })
  await before.node.grant({ address: alice.address, bandwidth: 1_000, energy: 2_000 })
  const { head, solid } = before.node.chain
  const balance = before.node.chain.state.account(root.address)?.balance
  await before[Symbol.asyncDispose]()
  // A crash in the middle of a line.
  appendFileSync(join(data, 'trond.jsonl'), '{"block":[17')

  const after = await startTrond({ data })
  assert.equal(after.node.chain.head.id, head.id)
  assert.equal(after.node.chain.solid.id, solid.id)
  assert.equal(after.node.chain.state.account(root.address)?.balance, balance)
  assert.equal(await tokens(after.url, token, alice.address), 5_000_000n)
  assert.equal(after.node.chain.find(payment.id)?.transaction.id, payment.id)
  assert.equal(after.node.chain.state.account(alice.address)?.energy.limit, 2_000)
  assert.equal((await send(after, payment)).code, 'DUP_TRANSACTION_ERROR')
  await after.node.fork({ depth: 2, keep: 'all', blocks: 3 })
  const forked = after.node.chain.head
  await after[Symbol.asyncDispose]()

  await using last = await startTrond({ data })
  assert.equal(last.node.chain.head.id, forked.id)
})

test('TROND-KEEP-002: the command prints its addresses, makes blocks by the clock, and goes on after kill -9 where it was', async () => {
  using kept = folder()
  const options = ['--block-ms=50', `--data=${kept.path}`]
  const first = await run(...options)
  assert.equal(first.told.chainId, chainId)
  await using helper = await startTrond()
  const payment = pay(helper, alice.address, 5_000_000, await referenceOf(first.told.url))
  assert.equal((await post(first.told.url, '/wallet/broadcasthex', { transaction: hexOf(payment) })).result, true)
  const isMined = async (url: string): Promise<boolean> =>
    (await post(url, '/wallet/gettransactioninfobyid', { value: payment.id })).id === payment.id
  while (!(await isMined(first.told.url))) await new Promise((resolve) => setImmediate(resolve))
  first.child.kill('SIGKILL')
  await first.ended

  const second = await run(...options)
  assert.equal(await isMined(second.told.url), true)
  assert.equal((await post(second.told.url, '/wallet/getaccount', { address: alice.address })).balance, 5_000_000)
  second.child.kill('SIGTERM')
  assert.equal(await second.ended, 0)
})

async function referenceOf(url: string): Promise<{ readonly refBytes: string; readonly refHash: string; readonly expiration: number }> {
  type Form = { readonly blockID: string; readonly block_header: { readonly raw_data: { readonly timestamp: number } } }
  const { blockID, block_header } = await post<Form>(url, '/wallet/getnowblock')
  return { refBytes: blockID.slice(12, 16), refHash: blockID.slice(16, 32), expiration: block_header.raw_data.timestamp + 60_000 }
}
