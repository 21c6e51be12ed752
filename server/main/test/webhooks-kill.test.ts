import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Units } from '@candor/core/money/brand.ts'
import { isSigned, startReceiver } from '../../webhooks/test/receiver.ts'
import { makeIdentity, makeLogger, reachEngine, reachStore } from '../roles.ts'
import { readSettings } from '../settings.ts'
import { startTree } from '../supervisor.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { indexOf, logIn, request } from './exchange.ts'

const rounds = Number(process.env.CANDOR_ROUNDS ?? 4)
const password = 'correct horse battery'

test('API-HOOK-007: whichever process is killed at any moment, every fill arrives, each time with the same id and number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-hooks-'))
  copyPrepared(folder)
  const settings = readSettings(
    { CANDOR_DATA: folder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off' },
    folder,
  )
  await using receiver = await startReceiver()
  const tree = await startTree(settings, () => undefined)
  try {
    await using link = await reachEngine(settings)
    await using store = await reachStore(settings)
    const ground = { settings: { ...settings, logLevel: 'silent' }, store, logger: makeLogger({ ...settings, logLevel: 'silent' }, 'test') }
    await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
    const { assets } = await link.ask.listing()
    const trader = async (name: string) => {
      const email = `${name}@test.example`
      const { user } = await identity.createUser({ email, password, class: 'bench' })
      for (const [symbol, amount] of [
        ['USDT', 1e12],
        ['DOGE', 1e10],
      ] as const) {
        const asset = assets.find((one) => one.symbol === symbol)!.id
        const given = await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: symbol, asset, amount: amount as Units })
        assert.equal(given.refusal, undefined)
      }
      return logIn(tree.url, email, password)
    }
    const [seller, buyer] = [await trader('ann'), await trader('ben')]
    const form = { url: receiver.url, kinds: ['spot.fill'], password }
    const made = await request(tree.url, 'POST', '/webhooks', form, buyer)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    while ((await request(tree.url, 'GET', '/webhooks', undefined, buyer)).body.webhooks[0].pending) await sleep(20)
    const price = (await indexOf(tree.url, 'DOGEUSDT')).toFixed(5)

    // A receiver that answers many requests too late, and one in three not at all.
    let answered = 0
    receiver.answer = (response) => void setTimeout(() => (++answered % 3 === 0 ? response.socket?.destroy() : response.end()), 20)
    const place = async (cookie: string, side: string, clientId: string): Promise<number | undefined> => {
      const order = { clientId, symbol: 'DOGEUSDT', side, type: 'limit', price, quantity: '100' }
      const { status, body } = await request(tree.url, 'POST', '/spot/orders', order, cookie).catch(() => ({ status: 0, body: undefined }))
      return status === 200 ? Number(body.order.id) : undefined
    }
    // Repeats a request with the same id until it is acknowledged.
    const surely = async (cookie: string, side: string, clientId: string): Promise<number> => {
      for (;;) {
        const id = await place(cookie, side, clientId)
        if (id !== undefined) return id
        await sleep(50)
      }
    }
    const bought = new Set<number>()
    const roles = ['follower', 'engine', 'follower', 'gateway'] as const
    for (let round = 0; round < rounds; round++) {
      const role = roles[round % roles.length]!
      const pid = tree.pids()[role]!
      const kill = sleep(150 + Math.random() * 250).then(() => process.kill(pid, 'SIGKILL'))
      for (let pair = 0; pair < 15; pair++) {
        await surely(seller, 'sell', `s${round}-${pair}`)
        bought.add(await surely(buyer, 'buy', `b${round}-${pair}`))
      }
      await kill
      while (tree.pids()[role] === pid) await sleep(20)
    }
    receiver.answer = (response) => response.end()
    const toldOf = (): ReadonlySet<unknown> => new Set(receiver.posts.map(({ event }) => event.data.orderId))
    for (let attempt = 0; attempt < 900 && [...bought].some((id) => !toldOf().has(id)); attempt++) await sleep(100)
    assert.deepEqual(
      [...bought].filter((id) => !toldOf().has(id)),
      [],
    )

    const texts = new Map<string, Set<string>>()
    for (const { event, text } of receiver.posts) texts.set(event.id, (texts.get(event.id) ?? new Set()).add(text))
    assert.ok([...texts.values()].every((same) => same.size === 1))
    assert.equal(texts.size, bought.size, 'one id for each fill')
    const numbers = [...new Set(receiver.posts.map(({ event }) => event.sequence))].sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
    assert.ok(receiver.posts.every((post) => isSigned(post, made.body.secret)))
  } finally {
    await tree[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
})
