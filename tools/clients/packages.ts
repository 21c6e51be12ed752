/**
 * Clients of another exchange, as their authors publish them, that test the programs' API. They have a lock file of their own,
 * because nothing else depends on them; the first test that needs one installs them.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { installIn } from '../npm.ts'

export type ClientName = 'ccxt' | '@binance/spot' | 'binance'

/** Loads the module, untyped: its types are large and don't exist before it is installed. throws  Error */
export async function loadClient(name: ClientName): Promise<any> {
  installIn(import.meta.dirname, 'existing clients for the tests')
  const found = createRequire(`${import.meta.dirname}/package.json`).resolve(name)
  return import(pathToFileURL(found).href)
}
