import assert from 'node:assert/strict'
import type { Operation } from '@candor/client/docs/operation.ts'
import { samplesOf } from '@candor/client/docs/samples.ts'
import { descriptions } from '@candor/server/programs/describe/all.ts'
import { listedRoutes } from '@candor/server/programs/describe/listed.ts'
import { test } from './desk.ts'
import { loadClient } from './packages.ts'

test('API-DOCS-008: every method that the samples call exists in ccxt and calls the route', async () => {
  const { default: ccxt } = await loadClient('ccxt')
  const client = new ccxt.binance({ apiKey: 'key', secret: 'secret' })
  for (const { method, path, scope, isSigned } of listedRoutes()) {
    const { ccxt: unified, group, name } = descriptions[`${method} ${path}`] ?? assert.fail(path)
    const security = scope === undefined ? 'open' : isSigned ? 'signed' : 'key'
    const operation = { isPrograms: true, method, path, group, name, security, parameters: [], ccxt: unified }
    const text = samplesOf(operation as unknown as Operation, {}, 'https://exchange.example')['ccxt'] ?? ''
    const [, rest, api, verb] = /exchange\.request\('([^']*)', '([^']*)', '([^']*)'/.exec(text) ?? assert.fail(text)
    assert.equal(verb, method)
    assert.equal(new URL(`${client.urls.api[api as string]}/${rest}`).pathname, path, text)
    if (unified === undefined) continue
    const called = unified.split('(', 1)[0] as string
    assert.equal(typeof client[called], 'function', `${path}: ${called}`)
    assert.notEqual(client.has[called], false, `${path}: ${called}`)
  }
})
