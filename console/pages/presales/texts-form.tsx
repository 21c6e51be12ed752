/** The texts of a presale in all languages, which are kept together under one hash. */
import { presales as words } from '../../app/presale-texts.ts'
import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import { type PresaleDetails, presaleTextFields, presaleTextMax, presaleTitleMax } from '@candor/core/protocol/wire/console/presale.ts'
import { type ReactNode, useId, useState } from 'react'
import { languageOf } from '../../app/format.ts'
import { Choice, TextField } from '../../parts/fields.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { Languages } from './named.tsx'
import { begunIn, completeIn, detailsOf, type TextsDraft } from './texts.ts'

type TextsFormProps = {
  readonly draft: TextsDraft
  readonly isKept: boolean
  /** Symbols that a new presale can sell; undefined for a presale, which keeps its token. */
  readonly tokens: readonly string[] | undefined
  readonly onDraft: (draft: TextsDraft) => void
  readonly onKeep: (details: PresaleDetails) => Promise<void>
}

export function TextsForm({ draft, isKept, tokens, onDraft, onKeep }: TextsFormProps): ReactNode {
  const [lang, setLang] = useState<LocaleCode>('en')
  const { isBusy, fault, run } = useWork(onKeep)
  const details = detailsOf(draft)
  const set = (part: Partial<TextsDraft>): void => onDraft({ ...draft, ...part })
  return (
    <Card title={words.texts}>
      <div className="card-body stack">
        <p className="fg2">{words.textsText}</p>
        <Token {...{ draft, tokens, set }} />
        <Languages {...{ lang, langs: localeCodes, done: completeIn(draft) }} onChoose={setLang} />
        {presaleTextFields.map((field) => (
          <TextArea
            key={`${lang}-${field}`}
            label={words.fields[field]}
            lang={lang}
            isLine={field === 'title'}
            value={draft.texts[lang][field]}
            onText={(text) => set({ texts: { ...draft.texts, [lang]: { ...draft.texts[lang], [field]: text } } })}
          />
        ))}
        <p className="fg2" role="status">
          {isKept ? words.isKept : wordsOf(draft, details)}
        </p>
        <FaultNote cause={fault} />
        <div>
          <Button look="filled" disabled={isBusy || isKept || details === undefined} onClick={() => void (details && run(details))}>
            {words.keep}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** What is still missing, or which languages are written. */
function wordsOf(draft: TextsDraft, details: PresaleDetails | undefined): string {
  const begun = begunIn(draft)
  if (begun.length > 0) return words.missing(begun.map(languageOf).join(', '))
  return details === undefined ? words.incomplete : words.complete(completeIn(draft).map(languageOf).join(', '))
}

type TokenProps = Pick<TextsFormProps, 'draft' | 'tokens'> & { readonly set: (part: Partial<TextsDraft>) => void }

function Token({ draft, tokens, set }: TokenProps): ReactNode {
  const { token, name, totalSupply, hasContract, network, address } = draft
  const contracts = [
    { value: 'none', label: words.contracts.none },
    { value: 'on', label: words.contracts.on },
  ]
  return (
    <>
      <div className="line pair">
        {tokens === undefined ? (
          <TextField label={words.token} value={token} readOnly onText={() => undefined} />
        ) : (
          <Choice
            label={words.token}
            value={token}
            options={tokens.map((value) => ({ value, label: value }))}
            onChoose={(value) => set({ token: value })}
          />
        )}
        <TextField label={words.name} maxLength={100} value={name} onText={(text) => set({ name: text })} />
        <TextField label={words.totalSupply} inputMode="decimal" value={totalSupply} onText={(text) => set({ totalSupply: text })} />
      </div>
      <p className="help">{words.tokenHelp}</p>
      <div className="line pair">
        <Choice
          label={words.hasContract}
          value={hasContract ? 'on' : 'none'}
          options={contracts}
          onChoose={(value) => set({ hasContract: value === 'on' })}
        />
        {hasContract && (
          <>
            <TextField label={words.network} maxLength={100} value={network} onText={(text) => set({ network: text })} />
            <TextField label={words.address} maxLength={100} value={address} onText={(text) => set({ address: text })} />
          </>
        )}
      </div>
    </>
  )
}

type TextAreaProps = {
  readonly label: string
  readonly lang: LocaleCode
  readonly isLine: boolean
  readonly value: string
  readonly onText: (text: string) => void
}

function TextArea({ label, lang, isLine, value, onText }: TextAreaProps): ReactNode {
  const id = useId()
  if (isLine) return <TextField label={label} lang={lang} maxLength={presaleTitleMax} value={value} onText={onText} />
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={3}
        lang={lang}
        maxLength={presaleTextMax}
        value={value}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  )
}
