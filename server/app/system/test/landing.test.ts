import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { locales } from '@candor/core/protocol/locales.ts'
import Fastify from 'fastify'
import type { App } from '../../app.ts'
import { landingPage, landingRoutes, languageOf } from '../landing.ts'
import { landingPaths, landingTexts } from '../landing-texts.ts'

const publicFolder = join(import.meta.dirname, '..', '..', '..', '..', 'web', 'public')

test('SITE-LANDING-001: each page has title, description and picture of its own in every language, and leads to its screen', () => {
  for (const path of landingPaths) {
    for (const { code, tag } of locales) {
      const page = landingPage(path, code, 'https://exchange.example')
      const { title } = landingTexts[code].pages[path]
      assert.match(page, new RegExp(`<html lang="${tag}">`))
      assert.ok(page.includes(`<title>${title} · Candor</title>`), `${path} ${code}`)
      assert.ok(page.includes(`content="https://exchange.example/share${path}.png"`))
      assert.ok(page.includes(`content="0; url=/#${path}"`))
      for (const one of locales) assert.ok(page.includes(`hreflang="${one.tag}"`))
    }
    // The size in the head of a PNG file.
    const picture = readFileSync(join(publicFolder, 'share', `${path.slice(1)}.png`))
    assert.deepEqual([picture.toString('latin1', 1, 4), picture.readUInt32BE(16), picture.readUInt32BE(20)], ['PNG', 1200, 630])
  }
})

test('SITE-LANDING-002: the language is that of the link, or the first of the browser’s that there is, or English', () => {
  const cases = [
    ['de', 'fr', 'de'],
    ['xx', 'fr-CA,de;q=0.8', 'fr'],
    [undefined, 'pl,pt-BR;q=0.9', 'pt'],
    [undefined, 'es-MX', 'ca'],
    [undefined, 'zh-CN,en', 'hk-hans'],
    [undefined, 'zh-TW', 'hk'],
    [undefined, 'pl', 'en'],
    [['de'], '', 'en'],
    [undefined, undefined, 'en'],
  ] as const
  for (const [asked, accepted, expected] of cases) assert.equal(languageOf(asked, accepted), expected, `${asked} ${accepted}`)
})

test('SITE-LANDING-003: nothing of a request becomes code on the page, and the page runs none', async () => {
  const app = Fastify()
  landingRoutes(app as unknown as App, undefined)
  const headers = { host: 'a"><script>alert(1)</script>' }
  const answer = await app.inject({ url: '/fees?lang=%22%3E%3Cscript%3E', headers })
  assert.equal(answer.statusCode, 200)
  assert.doesNotMatch(answer.body, /<script/)
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/)
  assert.match((await app.inject({ url: '/fees', headers: { 'accept-language': 'de' } })).body, /<html lang="de">/)
  await app.close()
})
