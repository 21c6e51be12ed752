import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printedClientFaults } from '../program-client.ts'
import { appApiFaults } from './app-api.ts'
import { apiCodeFaults } from './api-codes.ts'
import { architectureFaults } from './architecture.ts'
import { brandFaults, neverFaults } from './brands.ts'
import { callFaults } from './calls.ts'
import { catalogueFaults } from './catalogue.ts'
import { commitFaults } from './commits.ts'
import { cycleFaults } from './cycles.ts'
import { dangerFaults, purityFaults } from './dangerous.ts'
import { linkFaults } from '../app-links.ts'
import { layerFaults } from './layers.ts'
import { localeFaults } from './locales.ts'
import { offsetFaults } from './offsets.ts'
import { pageFaults } from './pages.ts'
import { placeFaults } from './places.ts'
import { productWordFaults, strayWords } from './product-words.ts'
import { securityFaults } from './security.ts'
import { fileFaults, folderFaults, functionFaults } from './sizes.ts'
import { specFaults } from './spec.ts'
import { wordFaults } from './words.ts'

const rules: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  'imports go down only': layerFaults,
  'the core uses no clock, chance, disk or network': purityFaults,
  'no text is run as code, shown as HTML or given to a shell': dangerFaults,
  'every text exists in every language and is used': localeFaults,
  'a product and a term have one word in each language': productWordFaults,
  'the refusal catalogue, its page and its translations agree': catalogueFaults,
  'every sentence of the specification has a test, and every ID in a test a sentence': specFaults,
  'lines of docs/security point to files and sentences that exist, and are counted right': securityFaults,
  'docs/ARCHITECTURE.md shows the checked rooms': architectureFaults,
  'UI-LINK-001: every link of the app leads to a screen that reads it': linkFaults,
  'links and paths in pages exist': pageFaults,
  'the table of new things in docs/ARCHITECTURE.md is right': placeFaults,
  'the general codes in docs/api.md are those of the description': apiCodeFaults,
  'docs/app-api.md matches the declared routes': appApiFaults,
  'the client for programs matches the served routes': printedClientFaults,
  'subjects of commits are short': commitFaults,
  'files have no machine paths, registry addresses, unfinished ends or stray words': wordFaults,
  'no files import each other’s values in a circle': cycleFaults,
  'no folder has more than 25 sources': folderFaults,
  'no file has more than 400 lines': fileFaults,
  'no function has more than 80 lines': functionFaults,
  'bare numbers in the rooms of money do not increase': brandFaults,
  'nothing is cast to never': neverFaults,
  'no function has more than six parameters, or more than four of one plain type': callFaults,
  'fields of records have names': offsetFaults,
}

for (const [rule, faults] of Object.entries(rules)) {
  test(rule, async () => {
    assert.deepEqual(await faults(), [])
  })
}

test('a second word for a product is found, in Chinese too, but not inside another word', () => {
  const words = { futures: ['Futures', 'Kontrakt*'], second: ['Second', 'Option'], balance: ['結餘', '餘額'] }
  const texts = new Map([
    ['a', 'Kontrakte und eine Option'],
    ['b', 'Optional'],
    ['c', '可用餘額'],
  ])
  assert.deepEqual(strayWords('de', words, texts), [
    'de: a says Kontrakt*, not Futures',
    'de: a says Option, not Second',
    'de: c says 餘額, not 結餘',
  ])
})
