/**
 * The verifier that the exchange serves as one file, `/proof/verify.mjs`. It needs nothing but this file.
 *
 *   node verify.mjs FILE…                                   prints a line for each file; exits with 1 if one is wrong
 *   const { verify } = await import('/proof/verify.mjs')    in a browser: await verify(await file.text())
 */
import { type FileVerdict, fileVerdict } from '@candor/core/proof/any-file.ts'
import { isSigned } from './signed.ts'
import { readingOf } from './words.ts'

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
