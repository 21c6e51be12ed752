import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectLink } from '../../engine/connect-link.ts'
import type { Link } from '../../engine/link.ts'
import { linkPath } from '../../engine/link-path.ts'
import { dialSocket } from '../../engine/link/wire.ts'
import { topics } from '../../gateway/topics.ts'
import { Refused } from '../../refused.ts'
import { Seat } from '../../store/seat.ts'
import { startPrices } from '../role/prices.ts'
import { makeLogger } from '../roles.ts'
import { readSettings } from '../settings.ts'
import { startExchange } from './exchange.ts'

test('FEEDS-SEVERAL-004: a process that takes the seat of prices again feeds them, also when no engine answers at first', async () => {
  await using exchange = await startExchange({ hasFeeds: false })
  const { store, dataFolder } = exchange
  await using link = await connectLink(dialSocket(linkPath(dataFolder)))
  const settings = readSettings({ CANDOR_DATA: dataFolder, CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_LOG: 'silent' }, dataFolder)
  let [failures, published] = [0, 0]
  const listing: Link['ask']['listing'] = async () => {
    if (failures-- > 0) throw new Refused('UNAVAILABLE')
    return link.ask.listing()
  }
  const shaky: Link = {
    submit: link.submit,
    ask: { ...link.ask, listing },
    onReleased: (listener) => link.onReleased(listener),
    onHead: (listener) => link.onHead(listener),
    onState: (listener) => link.onState(listener),
    sendOnce: () => undefined,
    onPublished: (topic, listener) => link.onPublished(topic, listener),
    publish: (topic, value) => {
      if (topic === topics.feed) published++
      link.publish(topic, value)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  await using _ = await startPrices({ settings, store, logger: makeLogger(settings, 'prices') }, shaky, { hasHistory: false })
  while (published === 0) await sleep(20)

  // Another process takes the seat, and feeds prices.
  const other = await Seat.open({ url: store.url, name: 'feeds', tryMs: 1 })
  while (!other.isHeld) {
    await store.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'candor feeds'`)
    await sleep(5)
  }
  await using third = await connectLink(dialSocket(linkPath(dataFolder)))
  const heard = new Promise<void>((resolve) => link.onPublished(topics.ticked, () => resolve()))
  third.publish(topics.ticked, true)
  await heard

  failures = 2
  const before = published
  await other[Symbol.asyncDispose]()
  while (published < before + 3 || failures >= 0) await sleep(20)
  assert.ok(failures < 0, 'the listing was asked for until it was told')
})
