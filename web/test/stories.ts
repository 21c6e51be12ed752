/** Heads of a real exchange, made at once, and those of an exchange that tells another story. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { headText, readHeadText } from '@candor/core/proof/head.ts'
import type { HeadKey } from '@candor/core/proof/head-keys.ts'
import type { SignedHead } from '@candor/core/proof/remembered.ts'
import type { BrowserContext } from 'playwright-core'
import type { TestExchange } from '../../server/main/test/exchange.ts'
import { headKeyFile, publicHeadKey, readHeadKey } from '../../server/proof/head-key.ts'
import { HeadMaker } from '../../server/proof/head-maker.ts'
import { LiabilityMaker, statementMs } from '../../server/proof/liabilities/maker.ts'
import { headKeys, lastHead } from '../../server/store/query/proof/heads.ts'
import { lastStatement } from '../../server/store/query/proof/statements.ts'

const minuteMs = 60_000

/** Makes the next head, of all commands so far, without waiting for its minute; the exchange makes none of its own until the clock is there. */
export async function nextHead(exchange: TestExchange, after = 0): Promise<number> {
  const { store, dataFolder } = exchange
  await isProjected(exchange)
  for (;;) {
    const at = Math.max((await lastHead(store.pool))?.at ?? Date.now(), after) + minuteMs
    const made = await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(dataFolder), clock: () => at }).turn()
    // The exchange may be making one at this moment.
    if (made !== undefined) return made.n
    await sleep(20)
  }
}

/** Makes a statement of what everybody has now, and a head that names it. */
export async function nextStatement(exchange: TestExchange): Promise<void> {
  const { store } = exchange
  await isProjected(exchange)
  const latest = Math.max((await lastStatement(store.pool))?.at ?? 0, (await lastHead(store.pool))?.at ?? Date.now())
  const at = latest + statementMs
  if ((await new LiabilityMaker(store.pool, () => at).turn()) === undefined) throw new Error('no statement was made')
  await nextHead(exchange, at)
}

/** Waits until the tables have all commands so far: heads and statements say what the tables say. */
async function isProjected({ store, link }: TestExchange): Promise<void> {
  const { seq } = await link.ask.head()
  while (((await store.pool.query<{ seq: number }>('select seq from projection')).rows[0]?.seq ?? 0) < seq) await sleep(20)
}

export type Shown = { readonly keys: readonly HeadKey[]; readonly heads: readonly SignedHead[] }

/** What the exchange shows. */
export async function shownBy({ store }: TestExchange): Promise<Shown> {
  const { n, text, signature } = (await lastHead(store.pool))!
  return { keys: await headKeys(store.pool), heads: [{ n, text, signature }] }
}

/** The head after the newest one, signed with the exchange's own key, but of another past. */
export async function forgedHead(exchange: TestExchange): Promise<Shown> {
  const { keys, heads } = await shownBy(exchange)
  const head = readHeadText(heads[0]!.text)!
  const text = headText({ ...head, n: head.n + 1, at: head.at + minuteMs, log: 'ab'.repeat(32) })
  return { keys, heads: [{ n: head.n + 1, text, signature: signed(readHeadKey(headKeyFile(exchange.dataFolder)), text) }] }
}

/** The first head of an exchange that was started anew: another key, another journal. */
export async function anewHead(exchange: TestExchange): Promise<Shown> {
  const secret = generateKeyPairSync('ed25519').privateKey
  const head = readHeadText((await shownBy(exchange)).heads[0]!.text)!
  const text = headText({ ...head, n: 1, seq: 3, key: 1 })
  return { keys: [{ key: 1, publicKey: publicHeadKey(secret), signature: null }], heads: [{ n: 1, text, signature: signed(secret, text) }] }
}

const signed = (key: KeyObject, text: string): string => sign(null, Buffer.from(text), key).toString('hex')

/** From now on the pages of a browser are shown this instead of the exchange's newest head. */
export async function show(context: BrowserContext, shown: Shown): Promise<void> {
  await context.unroute('**/app/v1/proof/heads?*')
  await context.route('**/app/v1/proof/heads?*', (route) => route.fulfill({ json: shown }))
}
