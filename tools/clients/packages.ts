/**
 * Clients that were written for another exchange, as their authors publish them. They are the judges of the programs' API, and
 * nobody else's dependency: a lock of their own, installed by the first test that needs them.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { installIn } from '../npm.ts'

export type ClientName = 'ccxt' | '@binance/spot' | 'binance'

/** The module, untyped: its types are as large as itself, and are not there before it is installed. throws  Error */
export async function loadClient(name: ClientName): Promise<any> {
  installIn(import.meta.dirname, 'existing clients for the tests')
  const found = createRequire(`${import.meta.dirname}/package.json`).resolve(name)
  return import(pathToFileURL(found).href)
}
