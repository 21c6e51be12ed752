/** What the terms of a presale name by its hash: texts to read, and a whitepaper to save. Who approves looks at both. */
import { presales as words } from '../../app/presale-texts.ts'
import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import { type PresaleDetails, presaleTextFields } from '@candor/core/protocol/wire/console/presale.ts'
import { useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { readFile } from '../../app/client.ts'
import { amountOf, languageOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Modal } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/save-table.tsx'
import { Button, Failed, FaultNote, Skeleton, useWork } from '../../parts/ui.tsx'
import { shortHash } from '../terms/values.ts'
import { detailsQuery } from './queries.ts'

/** `name`: of the term. */
export function Named({ name, hash }: { readonly name: string; readonly hash: string }): ReactNode {
  return name === 'documentHash' ? <Paper hash={hash} /> : <Texts hash={hash} />
}

function Paper({ hash }: { readonly hash: string }): ReactNode {
  const { isBusy, fault, run } = useWork(async () => {
    const file = await readFile(`/presales/papers/${hash}`)
    saveFile(`whitepaper-${hash.slice(0, 12)}.pdf`, file)
  })
  return (
    <span className="line">
      <Button
        size="small"
        look="quiet"
        disabled={isBusy}
        aria-label={words.paperOf(shortHash(hash))}
        title={hash}
        onClick={() => void run()}
      >
        <Download size={13} aria-hidden="true" />
        <span className="tn">{shortHash(hash)}</span>
      </Button>
      <FaultNote cause={fault} />
    </span>
  )
}

function Texts({ hash }: { readonly hash: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" look="quiet" aria-label={words.textsOf(shortHash(hash))} title={hash} onClick={() => setOpen(true)}>
        <FileText size={13} aria-hidden="true" />
        <span className="tn">{shortHash(hash)}</span>
      </Button>
      {isOpen && <TextsDialog hash={hash} onClose={() => setOpen(false)} />}
    </>
  )
}

function TextsDialog({ hash, onClose }: { readonly hash: string; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(detailsQuery(hash))
  return (
    <Modal isBroad title={data?.texts.en.title ?? words.texts} onClose={onClose}>
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton />
      ) : (
        <TextsView details={data} />
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>{t.common.close}</Button>
      </div>
    </Modal>
  )
}

/** All that customers read, a language at a time. */
export function TextsView({ details }: { readonly details: PresaleDetails }): ReactNode {
  const [lang, setLang] = useState<LocaleCode>('en')
  const { token, name, totalSupply, contract, texts } = details
  const written = localeCodes.filter((one) => texts[one] !== undefined)
  const text = texts[lang] ?? texts.en
  return (
    <div className="stack">
      <p className="fg2">{words.supplyOf(name, amountOf(totalSupply), token)}</p>
      {contract !== null && <p className="fg2 tn">{words.contractAt(contract.network, contract.address)}</p>}
      <Languages {...{ lang, langs: written }} onChoose={setLang} />
      <dl className="facts" lang={lang}>
        {presaleTextFields.map((field) => (
          <div key={field}>
            <dt lang="en">{words.fields[field]}</dt>
            <dd className="written">{text[field]}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type LanguagesProps = {
  readonly lang: LocaleCode
  readonly langs: readonly LocaleCode[]
  /** Languages that are written to the end. */
  readonly done?: readonly LocaleCode[]
  readonly onChoose: (lang: LocaleCode) => void
}

export function Languages({ lang, langs: all, done = [], onChoose }: LanguagesProps): ReactNode {
  return (
    <div className="tabs wrap" role="tablist" aria-label={words.language}>
      {all.map((one) => (
        <button key={one} type="button" role="tab" className="tab" aria-selected={one === lang} onClick={() => onChoose(one)}>
          {languageOf(one)}
          {done.includes(one) && <span aria-hidden="true">✓</span>}
        </button>
      ))}
    </div>
  )
}
