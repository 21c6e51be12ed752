import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Exchange } from '../exchange.ts'
import { World } from './world.ts'

/** A world with one asset and nothing issued, as before a first start. */
function fresh(): World {
  const world = new World()
  world.do({ type: 'asset.list', symbol: 'USDT', scale: 6 }).isAccepted()
  return world
}

const setMode = (world: World, mode: 'sandbox' | 'production') => world.do({ type: 'mode.set', mode })
const faucet = (world: World) => world.do({ type: 'funds.faucet', user: world.user('alice'), clientId: '', asset: 1, amount: 1_000_000 })
const endow = (world: World) => world.do({ type: 'funds.system', account: 'insurance', asset: 1, amount: 1_000_000 })

test('FUNDS-MODE-001: the mode is set once, can’t change, and is kept by a restored exchange', () => {
  for (const mode of ['sandbox', 'production'] as const) {
    const world = fresh()
    assert.equal(world.exchange.mode, undefined)
    setMode(world, mode).isAccepted()
    setMode(world, 'sandbox').isRefused('MODE_FIXED')
    setMode(world, 'production').isRefused('MODE_FIXED')
    assert.equal(world.exchange.mode, mode)
    assert.equal(Exchange.restore(world.exchange.dump()).mode, mode)
    world.isReplayable()
  }
})

test('FUNDS-MODE-001: data that contains practice funds can only be a sandbox', () => {
  const world = fresh()
  endow(world).isAccepted()
  setMode(world, 'production').isRefused('MODE_FIXED')
  setMode(world, 'sandbox').isAccepted()
})

test('FUNDS-MODE-001: practice funds of any one asset are enough, and data without assets can belong to either mode', () => {
  for (const asset of [1, 2]) {
    const world = fresh()
    world.do({ type: 'asset.list', symbol: 'BTC', scale: 8 }).isAccepted()
    world.do({ type: 'funds.system', account: 'insurance', asset, amount: 1 }).isAccepted()
    setMode(world, 'production').isRefused('MODE_FIXED')
  }
  for (const mode of ['sandbox', 'production'] as const) {
    const empty = new World()
    setMode(empty, mode).isAccepted()
    assert.equal(empty.exchange.mode, mode)
  }
})

test('FUNDS-MODE-002: production refuses the faucet and endowments from `outside:sandbox`', () => {
  const world = fresh()
  setMode(world, 'production').isAccepted()
  endow(world).isRefused('SANDBOX_ONLY')
  faucet(world).isRefused('SANDBOX_ONLY')
  const change = { type: 'funds.system', account: 'insurance', asset: 1, amount: 1_000_000 }
  world.do({ type: 'exchange.operate', proposer: 1, approver: 2, reason: 'more', change }).isRefused('SANDBOX_ONLY')
  world.exchange = Exchange.restore(world.exchange.dump())
  faucet(world).isRefused('SANDBOX_ONLY')
  assert.deepEqual(world.exchange.accounts(), [])
})

test('FUNDS-MODE-003: data from before modes existed is a sandbox if practice funds were issued, else production', () => {
  const modeIn = (name: string) => Exchange.restore(gunzipSync(readFileSync(new URL(`./fixtures/${name}.bin.gz`, import.meta.url)))).mode
  assert.equal(modeIn('dump-12'), 'sandbox')
  assert.equal(modeIn('dump-12-unissued'), 'production')
})
