/** The page that asks a node of the reader's choice: its own policy, no origin, and the comparison. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { forwarderOf } from '@candor/core/proof/chain/address.ts'
import { publishReserves } from '../../server/chains/reserves/test/published.ts'
import { at, factory, fileOf, fileParts } from '../../server/chains/reserves/test/reserve-file.ts'
import { type Anvil, chainId, startAnvil } from '../../server/chains/test/anvil.ts'
import { startExchange } from '../../server/main/test/exchange.ts'
import { headKeyFile } from '../../server/proof/head-key.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'
import { langsOr, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'
import { nextStatement } from './stories.ts'

/** `sink()` and `decimals()`. */
const [sink, decimals] = ['0xc74e820e', '0x313ce567']

before(() => requireFreshBuild())

/** A statement of a local chain: 3 USDT and 5 wei on the hot address, 2 USDT on a forwarder, and a cold address that holds 3 and not 4. */
async function statementOf(anvil: Anvil) {
  const usdt = await anvil.deploy('TestToken', [6])
  const parts = fileParts()
  const [network, ...others] = parts.networks
  const [hot, cold, forwarder] = network!.addresses
  const held = [hot!, cold!, { ...forwarder!, address: forwarderOf({ chainId, factory, place: forwarder!.place! }) }]
  await anvil.pay(hot!.address as `0x${string}`, 5n)
  for (const [at, sum] of [3_000_000n, 3_000_000n, 2_000_000n].entries())
    await anvil.call(usdt, 'TestToken', 'issue', [held[at]!.address, sum])
  await anvil.mine()
  const { number, hash, timestamp } = await anvil.client.getBlock()
  // Later transfers are not asked for: the statement is of its block.
  await anvil.call(usdt, 'TestToken', 'issue', [held[0]!.address, 1n])
  await anvil.mine()
  const block = { number: Number(number), hash: hash!.slice(2), at: Number(timestamp) * 1000 }
  const coins = network!.coins.map((coin) => (coin.asset === 'USDT' ? { ...coin, contract: usdt.toLowerCase() } : coin))
  parts.networks = [{ ...network!, chainId, block, coins, addresses: held }, ...others]
  return fileOf(parts)
}

/** A node of chain 1 that says of every address that it holds 3 USDT and no ETH. `calls`: its answers to certain calls, by their data. */
async function startNode(calls: Readonly<Record<string, string>>) {
  const { networks } = fileParts()
  const node = createServer((request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
      const { method, params } = JSON.parse(body) as { method: string; params: readonly [{ readonly data?: string }?] }
      const called = calls[params[0]?.data ?? '']
      const results: Readonly<Record<string, unknown>> = {
        eth_chainId: '0x1',
        eth_getBlockByNumber: { hash: `0x${networks[0]!.block!.hash}` },
        eth_getBalance: '0x0',
        eth_call: called ?? `0x${(3_000_000).toString(16).padStart(64, '0')}`,
      }
      return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }))
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void node.close(() => resolve())),
  }
}

test('PROOF-ASK-001: the page below /proof asks a node that the reader names, compares, and has no access to the app', {
  timeout: 300_000,
}, async () => {
  await using exchange = await startExchange({ seed: 'ask', hasFeeds: false })
  const answer = await fetch(`${exchange.url}/proof/ask.html`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const part of ['sandbox allow-scripts', "default-src 'none'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), policy)
  // No other page may reach other hosts.
  assert.ok(!(await fetch(exchange.url)).headers.get('content-security-policy')?.includes('https:'))
  // A block may be no more than a day away from the statement, which has a fixed time.
  await using anvil = await startAnvil({ from: at - 900_000 })
  const statement = await statementOf(anvil)
  const browser = await startBrowser()
  const page = await browser.newPage()
  const asked: Promise<Readonly<Record<string, string>>>[] = []
  page.on('request', (request) => request.url().startsWith(anvil.url) && asked.push(request.allHeaders()))
  await page.goto(`${exchange.url}/proof/ask.html?lang=en`)
  await page.waitForSelector('h1')
  assert.equal(await page.evaluate(() => globalThis.origin), 'null')
  for (const read of ['document.cookie', 'localStorage.length', 'indexedDB.open("a")'])
    assert.equal(await page.evaluate(`(() => { try { return ${read} } catch { return 'refused' } })()`), 'refused', read)
  // The exchange of this test has no statement: what is loaded from it is told as missing, and not blocked.
  await page.getByRole('button', { name: 'Load the newest statement' }).click()
  await page.getByText('404').waitFor()
  const buffer = Buffer.from(JSON.stringify(statement))
  await page.locator('input[type=file]').setInputFiles({ name: 'reserves.json', mimeType: 'application/json', buffer })
  await page.locator('input[type=url]').first().fill(anvil.url)
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click()
  await page.getByText('Balances that agree:').waitFor()
  const text = (await page.locator('main').textContent()) ?? ''
  assert.match(text, /The node has the same block/)
  assert.match(text, /3 USDT the same/)
  assert.match(text, /2 USDT the same/)
  assert.match(text, /0.000000000000000005 ETH the same/)
  assert.match(text, /4 USDT DIFFERS, the node says 3/)
  assert.match(text, /Balances that agree: 5 \/ 6/)
  assert.ok(asked.length >= 8)
  for (const { cookie, referer, origin } of await Promise.all(asked))
    assert.deepEqual([cookie, referer, origin], [undefined, undefined, 'null'])
  await browser.close()
})

test('PROOF-ASK-001: the page tells forwarders that pay to somebody else, and a contract that counts in other units', {
  timeout: 300_000,
}, async () => {
  await using exchange = await startExchange({ seed: 'ask', hasFeeds: false })
  const parts = fileParts()
  const hot = parts.keys.hot.address('evm')
  const calls: Record<string, string> = { [sink]: `0x${hot.slice(2).padStart(64, '0')}`, [decimals]: '0x6' }
  await using node = await startNode(calls)
  const browser = await startBrowser()
  const page = await browser.newPage()
  await page.goto(`${exchange.url}/proof/ask.html?lang=en`)
  await page.waitForSelector('h1')
  const buffer = Buffer.from(JSON.stringify(fileOf(parts)))
  await page.locator('input[type=file]').setInputFiles({ name: 'reserves.json', mimeType: 'application/json', buffer })
  await page.locator('input[type=url]').first().fill(node.url)
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click()
  await page.getByText('Balances that agree:').waitFor()
  const text = (await page.locator('main').textContent()) ?? ''
  // Some addresses hold another sum than this node says of each.
  assert.match(text, /4 USDT DIFFERS, the node says 3/)
  assert.match(text, /Forwarders pay to an address of the statement that signed/)
  assert.doesNotMatch(text, /DECIMALS/)
  Object.assign(calls, { [sink]: `0x${'aa'.repeat(20)}`, [decimals]: '0x12' })
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click()
  await page.getByText('FORWARDERS PAY TO AN ADDRESS THAT DID NOT SIGN').waitFor()
  await page.getByText('USDT: THE CONTRACT HAS ANOTHER NUMBER OF DECIMALS: 18').waitFor()
  await browser.close()
})

for (const lang of langsOr('hk'))
  test(`UI-PROOF-012: in ${lang}, /proof checks the newest statement of reserves and the anchors on the device`, {
    timeout: 300_000,
  }, async () => {
    await using exchange = await startExchange({ seed: 'reserves', hasFeeds: false })
    await exchange.user({ funds: { USDT: '1000', BTC: '0.5' } })
    await nextStatement(exchange)
    const browser = await startBrowser()
    for (const theme of ['dark', 'light'] as const) {
      const someone = await person(browser, exchange.url, { lang, theme })
      const { page, t, go, complaints } = someone
      const { wrong, see } = sights(page, 'reserves', lang)
      await go('/proof')
      if (theme === 'dark') {
        await page.getByText(t('reserves.none'), { exact: true }).waitFor()
        await publishReserves(exchange.store.pool, headKeyFile(exchange.dataFolder))
        await go('/about')
        await page.reload()
        await go('/proof')
      }
      await page.getByText(t('reserves.checked'), { exact: true }).waitFor()
      const row = page.locator('dl > div').filter({ hasText: /^USDT/ }).filter({ hasText: '160' })
      await row.first().waitFor()
      // A cold address that has not signed is named and does not count; practice coins have no reserves.
      await page.getByText(t('reserves.unsigned')).first().waitFor()
      await page.getByText(t('reserves.single', { sources: 't.example' })).waitFor()
      await page
        .locator('dl > div')
        .filter({ hasText: /^BTC/ })
        .filter({ hasText: t('reserves.noChain', { sum: '' }).slice(0, 8) })
        .waitFor()
      const anchored = t('reserves.anchor.same', { n: '@' }).split('@')[0]!.trim()
      await page.getByText(anchored).first().waitFor()
      await see(`proof-${theme}`)
      assert.deepEqual([...wrong, ...complaints], [])
      await someone.context.close()
    }
    await browser.close()
  })
