/** The passphrase of the key files: from a file that systemd gives to this service only, or typed. Never from environment or arguments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CustodyFault } from './reasons.ts'
import { askHidden } from './terminal.ts'

/** Name of the credential in the unit file: `LoadCredentialEncrypted=candor-signer:…`. */
export const credentialName = 'candor-signer'

/** throws  CustodyFault when there is neither */
export async function readPassphrase(): Promise<string> {
  // The variable holds the path of a folder in memory, not the secret.
  const folder = process.env['CREDENTIALS_DIRECTORY']
  if (folder !== undefined) {
    try {
      return readFileSync(join(folder, credentialName), 'utf8').replace(/\r?\n$/, '')
    } catch (cause) {
      throw new CustodyFault(`The credential ${credentialName} is missing`, { cause })
    }
  }
  if (!process.stdin.isTTY) throw new CustodyFault(`There is no credential ${credentialName}, and no terminal to type the passphrase`)
  return askHidden('Passphrase of the signer: ')
}
