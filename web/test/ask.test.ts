/** The page that asks a node of the reader's choice: its own policy, no origin, and the comparison. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { fileOf, fileParts } from '../../server/chains/reserves/test/reserve-file.ts'
import { startExchange } from '../../server/main/test/exchange.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'
import { startBrowser } from './person.ts'

before(() => requireFreshBuild())

/** A node of chain 1 that says of every address that it holds 3 USDT and no ETH. */
async function startNode() {
  const { networks } = fileParts()
  const node = createServer((request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
      const { method } = JSON.parse(body) as { method: string }
      const results: Readonly<Record<string, unknown>> = {
        eth_chainId: '0x1',
        eth_getBlockByNumber: { hash: `0x${networks[0]!.block!.hash}` },
        eth_getBalance: '0x0',
        eth_call: `0x${(3_000_000).toString(16).padStart(64, '0')}`,
      }
      asked.push({ method, cookie: request.headers.cookie, referer: request.headers.referer, origin: request.headers.origin })
      return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }))
    })
  })
  const asked: { method: string; cookie: string | undefined; referer: string | undefined; origin: string | undefined }[] = []
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
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
  await using node = await startNode()
  const browser = await startBrowser()
  const page = await browser.newPage()
  await page.goto(`${exchange.url}/proof/ask.html?lang=en`)
  await page.waitForSelector('h1')
  assert.equal(await page.evaluate(() => globalThis.origin), 'null')
  for (const read of ['document.cookie', 'localStorage.length', 'indexedDB.open("a")'])
    assert.equal(await page.evaluate(`(() => { try { return ${read} } catch { return 'refused' } })()`), 'refused', read)
  // The exchange of this test has no statement: what is loaded from it is told as missing, and not blocked.
  await page.getByRole('button', { name: 'Load the newest statement' }).click()
  await page.getByText('404').waitFor()
  const buffer = Buffer.from(JSON.stringify(fileOf(fileParts())))
  await page.locator('input[type=file]').setInputFiles({ name: 'reserves.json', mimeType: 'application/json', buffer })
  await page.locator('input[type=url]').first().fill(node.url)
  await page.getByRole('button', { name: 'Ask', exact: true }).first().click()
  await page.getByText('Balances that agree:').waitFor()
  const text = (await page.locator('main').textContent()) ?? ''
  assert.match(text, /The node has the same block/)
  assert.match(text, /: 3 USDT: the same/)
  // The other addresses hold another sum than this node says of each.
  assert.match(text, /: 4 USDT: DIFFERS, the node says 3/)
  assert.ok(node.asked.length > 6)
  for (const { cookie, referer, origin } of node.asked) assert.deepEqual([cookie, referer, origin], [undefined, undefined, 'null'])
  await browser.close()
})
