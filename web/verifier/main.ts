/**
 * The verifier that the exchange serves as one file, `/proof/verify.mjs`. It needs nothing but this file.
 *
 *   node verify.mjs FILE…                                   prints a line for each file; exits with 1 if one is wrong
 *   const { verify } = await import('/proof/verify.mjs')    in a browser: await verify(await file.text())
 */
import { type FileVerdict, fileVerdict } from '@candor/core/proof/any-file.ts'
import type { Hash } from '@candor/core/proof/merkle.ts'
import { fromHex } from '@candor/core/proof/sha256.ts'
import { readingOf } from './words.ts'

/** Imported keys: a file has thousands of heads and few keys. */
const imported = new Map<string, Promise<CryptoKey>>()

const noEd25519 =
  'There is no Ed25519 here, so nothing was checked. Node has it; Chromium 137, Firefox 129 and Safari 17 have it on pages with https.'

async function isSigned(publicKey: string, text: string, signature: string): Promise<boolean> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) throw new Error(noEd25519)
  const key = imported.get(publicKey) ?? subtle.importKey('raw', fromHex(publicKey) as Hash, 'Ed25519', false, ['verify'])
  imported.set(publicKey, key)
  try {
    return await subtle.verify('Ed25519', await key, fromHex(signature) as Hash, new TextEncoder().encode(text))
  } catch (cause) {
    imported.delete(publicKey)
    // Bytes that are no key are refused with another error.
    if ((cause as Error).name === 'NotSupportedError') throw new Error(noEd25519, { cause })
    return false
  }
}

/**
 * Checks the text of a file.
 *
 * throws  Error when there is no Ed25519 here
 */
export function verify(text: string): Promise<FileVerdict> {
  return fileVerdict(isSigned, text)
}

export { readingOf }

/** The files that Node was asked to check; undefined in a browser, and where another program imports this one. */
async function askedFiles(): Promise<readonly string[] | undefined> {
  const { process } = globalThis as { readonly process?: NodeJS.Process }
  if (process?.versions?.node === undefined || process.argv[1] === undefined) return undefined
  const [{ realpathSync }, { pathToFileURL }] = await Promise.all([import('node:fs'), import('node:url')])
  return pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url ? process.argv.slice(2) : undefined
}

async function run(paths: readonly string[]): Promise<void> {
  const { readFile } = await import('node:fs/promises')
  if (paths.length === 0) process.stderr.write('usage: node verify.mjs FILE...\n')
  let isRight = paths.length > 0
  for (const path of paths) {
    const reading = await readFile(path, 'latin1')
      .then(verify)
      .then(readingOf)
      .catch((cause: Error) => ({ isRight: false, lines: [cause.message] }))
    process.stdout.write(`${path}: ${reading.isRight ? 'right' : 'WRONG'}: ${reading.lines.join('\n  ')}\n`)
    isRight &&= reading.isRight
  }
  process.exitCode = isRight ? 0 : 1
}

const files = await askedFiles()
if (files !== undefined) await run(files)
