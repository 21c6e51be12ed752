/** A signer in a process that tests kill: `node crash-child.ts FOLDER SOCKET KEYS`, with the keys as JSON. It dies inside the given use. */
import { readFileSync } from 'node:fs'
import type { ChainSigner } from '../chain-signer.ts'
import { parsePolicy } from '../policy.ts'
import { takeDoor } from '../serve.ts'
import { Signer } from '../signer.ts'
import { softSigner } from './custody.ts'

const [folder, path, keysFile] = process.argv.slice(2) as [string, string, string]
const { journalKey, evmKey, tronKey, diesAtUse } = JSON.parse(readFileSync(keysFile, 'utf8')) as Record<string, string>

let uses = 0
function dying(key: ChainSigner): ChainSigner {
  const sign: ChainSigner['sign'] = async (unsigned) => {
    if (++uses === Number(diesAtUse)) process.kill(process.pid, 'SIGKILL')
    return key.sign(unsigned)
  }
  return { ...key, sign }
}

const bytes = (hex: string | undefined): Buffer => Buffer.from(hex ?? '', 'hex')
const door = await takeDoor(path)
const signer = new Signer({
  ...{
    folder,
    journalKey: bytes(journalKey),
    walletSeed: Buffer.alloc(32),
    policy: parsePolicy(readFileSync(`${folder}/policy.json`, 'utf8')),
    policyDigest: 'x',
  },
  keys: new Map([
    ['ethereum', dying(softSigner(bytes(evmKey)))],
    ['tron', dying(softSigner(bytes(tronKey)))],
  ]),
})
door.open(signer, () => undefined)
process.stdout.write('ready\n')
