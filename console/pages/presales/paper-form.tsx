/** The whitepaper that terms name: a file that a member chooses is kept at once, under its hash. */
import { presales as words } from '../../app/presale-texts.ts'
import { paperBytesMax } from '@candor/core/protocol/wire/console/presale.ts'
import { type ReactNode, useId, useState } from 'react'
import { change } from '../../app/client.ts'
import { sizeOf } from '../../app/format.ts'
import { say } from '../../parts/dialog.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { Named } from './named.tsx'

type PaperFormProps = { readonly hash: string; readonly onHash: (hash: string) => void }

export function PaperForm({ hash, onHash }: PaperFormProps): ReactNode {
  const id = useId()
  const [tooLarge, setTooLarge] = useState('')
  const { isBusy, fault, run } = useWork(async (file: File) => {
    const kept = await change<{ readonly hash: string }>('POST', '/presales/papers', { pdf: await base64Of(file) })
    onHash(kept.hash)
    say(words.paperKept)
  })
  const choose = (file: File | undefined): void => {
    if (file === undefined) return
    setTooLarge(file.size > paperBytesMax ? words.paperLarge(sizeOf(file.size)) : '')
    if (file.size <= paperBytesMax) void run(file)
  }
  return (
    <Card title={words.paper}>
      <div className="card-body stack">
        <p className="fg2">{words.paperText}</p>
        <div className="line">
          {hash === '' ? <span className="fg2">{words.noPaper}</span> : <Named name="documentHash" hash={hash} />}
          {hash !== '' && (
            <Button size="small" look="quiet" onClick={() => onHash('')}>
              {words.removePaper}
            </Button>
          )}
        </div>
        <div className="field">
          <label htmlFor={id}>{words.choosePaper}</label>
          <input
            id={id}
            type="file"
            accept="application/pdf"
            disabled={isBusy}
            onChange={({ target }) => {
              choose(target.files?.[0])
              // Otherwise the same file, chosen again after a failure, would be no change.
              target.value = ''
            }}
          />
        </div>
        {tooLarge !== '' && (
          <p className="fault" role="alert">
            {tooLarge}
          </p>
        )}
        <FaultNote cause={fault} />
      </div>
    </Card>
  )
}

/** The bytes of a file as text. throws  when the file can't be read any more */
async function base64Of(file: File): Promise<string> {
  const reader = new FileReader()
  await new Promise((resolve, reject) => {
    reader.onload = resolve
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return String(reader.result).split(',')[1] ?? ''
}
