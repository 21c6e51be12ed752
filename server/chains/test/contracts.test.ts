import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { installIn } from '../../../tools/npm.ts'
import { type Artifact, contractNames } from '../contracts/artifacts.ts'

const folder = join(import.meta.dirname, '../contracts')
const heavy = join(import.meta.dirname, '../../../tools/heavy')

type Compiled = { readonly abi: readonly unknown[]; readonly evm: { readonly bytecode: { readonly object: string } } }
type Output = { readonly errors?: readonly object[]; readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>> }

/** The contracts as solc compiles them now, by name. */
function compiled(): ReadonlyMap<string, Artifact> {
  installIn(heavy, 'a compiler of contracts for the tests')
  const solc = createRequire(join(heavy, 'package.json'))('solc') as { compile(input: string): string; version(): string }
  assert.match(solc.version(), /^0\.8\.37\+/)
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const sources = Object.fromEntries(names.map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }]))
  const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as object
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as Output
  assert.deepEqual(output.errors ?? [], [])
  const found = Object.values(output.contracts).flatMap((file) => Object.entries(file))
  return new Map(found.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` } as const]))
}

test('DEPOSIT-CODE-001: the compiler makes the committed code from its sources, byte for byte', () => {
  const made = compiled()
  for (const name of contractNames) {
    const text = readFileSync(join(folder, 'artifacts', `${name}.json`), 'utf8')
    assert.deepEqual(JSON.parse(text), made.get(name), name)
  }
  const files = readdirSync(join(folder, 'artifacts')).map((name) => name.replace('.json', ''))
  assert.deepEqual(files.toSorted(), contractNames.toSorted(), 'no other contract is committed')
})
